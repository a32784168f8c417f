import { findOperations, type OperationFilter, type OperationSummary } from '../../ledger/find-operations';
import { listPauses } from '../../ledger/pauses';
import type { Pause } from '../../operations/pause';
import { print, textWidth } from '../print';
import { table } from '../table';
import { wrapText } from '../wrap-text';
import { isoTime, operationJson } from './operation-json';
import { withLedger } from './with-ledger';

/** `sendonce ops list`. Throws FilterInvalidError. */
export async function listOperations({ json, ...filter }: OperationFilter & { readonly json?: true }): Promise<void> {
  const [{ operations, next }, pauses] = await withLedger((database) =>
    Promise.all([findOperations(database, filter), json ? [] : listPauses(database)]),
  );
  if (json) return print(JSON.stringify({ operations: operations.map(operationJson), next }));
  if (operations.length === 0) print('There are no such operations.');
  else print(table(HEAD, operations.map(row), textWidth()));
  if (pauses.length > 0) print(['', ...wrapText(pausedText(pauses), textWidth())].join('\n'));
  if (next !== null) print(`\nThere are more. The next page: --after ${next}`);
}

const HEAD = ['STATE', 'REGISTERED, UTC', 'NEXT LOOK', 'LOOKS', 'TENANT', 'OPERATION'];

function row({ state, waitsFor, createdAt, dueAt, checks, tenant, operationId }: OperationSummary): readonly string[] {
  return [
    waitsFor === null ? state : `waits: ${waitsFor}`,
    minuteText(createdAt),
    // Its year is this one, or nearly.
    dueAt === null ? '-' : minuteText(dueAt).slice('2026-'.length),
    String(checks),
    tenant,
    operationId,
  ];
}

function minuteText(instant: number): string {
  return isoTime(instant).slice(0, '2026-11-30T20:15'.length).replace('T', ' ');
}

/** Why something waits, for whoever looks where it is. */
function pausedText(pauses: readonly Pause[]): string {
  return `Paused: ${pauses.map(({ kind, name }) => `${kind} ${name}`).join(', ')}. See sendonce pauses.`;
}
