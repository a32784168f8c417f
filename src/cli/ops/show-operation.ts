import { withLooks } from '../../ledger/read-looks';
import type { OperationDetail } from '../../ledger/read-operation';
import type { WaitsFor } from '../../operations/event';
import type { State } from '../../operations/state';
import { print, textWidth } from '../print';
import { operationDetailJson } from './operation-json';
import { entry, eventLines, stateText, timeText } from './operation-text';
import { type NamedOperation, readNamed } from './which-operation';
import { withLedger } from './with-ledger';

interface ShowOptions extends NamedOperation {
  readonly json?: true;
}

/** `sendonce ops show`. Throws CommandError where there is no such operation, or more than one. */
export async function showOperation({ json, ...named }: ShowOptions): Promise<void> {
  const operation = await withLedger(async (database) =>
    withLooks(database, (await readNamed(database, named)).operation),
  );
  print(json ? JSON.stringify(operationDetailJson(operation)) : story(operation, textWidth()));
}

function story(operation: OperationDetail, width: number): string {
  const { operationId, tenant, tool, provider, externalId, key, generation, attempts, version } = operation;
  const facts: readonly (readonly [string, string | null])[] = [
    ['tenant', tenant],
    ['state', stateText(operation)],
    ['waits for', operation.waitsFor && WAITS_FOR[operation.waitsFor]],
    ['reason', operation.reason],
    ['external ID', externalId],
    ['tool', tool],
    ['provider', provider],
    ['key', key],
    ['generation', `${generation}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`],
    ['version', String(version)],
    ...looks(operation),
    ...personMoves(operation),
  ];
  const told = facts.flatMap(([name, value]) => (value === null ? [] : entry(name.padEnd(13), value, width)));
  const events = eventLines(operation.events, operation.events, width);
  return [operationId, ...told, '', 'Times are UTC, by the ledger.', ...events].join('\n');
}

const WAITS_FOR: Readonly<Record<WaitsFor, string>> = {
  resume: 'its tool or provider to be resumed: sendonce pauses',
  redo: 'reconciliation to send it',
};

/** What reconciliation has done and will do by itself. */
function looks({ dueAt, checks, checkedAt }: OperationDetail): readonly (readonly [string, string])[] {
  const last = checkedAt === null ? '' : `, the last at ${timeText(checkedAt)}`;
  return [
    ...(checks === 0 ? [] : [['looks', `${checks} since there was news${last}`] as const]),
    ...(dueAt === null ? [] : [['next look', timeText(dueAt)] as const]),
  ];
}

/** Where nothing is left that ends by itself: what a person may do, with what the commands need. */
const OPEN_TO_PEOPLE: readonly State[] = ['unknown', 'accepted', 'escalated'];

function personMoves({ state, operationId, tenant, version }: OperationDetail): readonly (readonly [string, string])[] {
  if (!OPEN_TO_PEOPLE.includes(state)) return [];
  const named = `${operationId} --tenant ${tenant}`;
  return [
    ['ask', `sendonce ops check ${named} --tools FILE`],
    ['decide', `sendonce ops resolve ${named} --version ${version} --as confirmed|rejected --by NAME --note TEXT`],
  ];
}
