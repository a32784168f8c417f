import type { Database } from '../../ledger/database';
import { PostgresLedger } from '../../ledger/postgres-ledger';
import { type OperationDetail, readOperation } from '../../ledger/read-operation';
import { tenantsOf } from '../../ledger/tenants-of';
import { eventText } from '../../operations/event-text';
import { CommandError } from '../command-error';
import { print, textWidth } from '../print';
import { wrapText } from '../wrap-text';
import { isoTime, operationDetailJson } from './operation-json';
import { withLedger } from './with-ledger';

interface ShowOptions {
  readonly operationId: string;
  readonly tenant?: string;
  readonly json?: true;
}

/** How many tenants are named where one has to be chosen. */
const TENANTS_TOLD = 10;

/** `sendonce ops show`. Throws CommandError where there is no such operation, or more than one. */
export async function showOperation({ operationId, tenant, json }: ShowOptions): Promise<void> {
  const operation = await withLedger(async (database) => {
    const ref = { operationId, tenant: tenant ?? (await onlyTenant(database, operationId)) };
    return readOperation(new PostgresLedger(database), ref);
  });
  if (operation === null) throw new CommandError(`The tenant ${tenant} has no operation ${operationId}.`);
  print(json ? JSON.stringify(operationDetailJson(operation)) : story(operation, textWidth()));
}

async function onlyTenant(database: Database, operationId: string): Promise<string> {
  const [first, ...others] = await tenantsOf(database, operationId, TENANTS_TOLD + 1);
  if (first === undefined) throw new CommandError(`There is no operation ${operationId}.`);
  if (others.length === 0) return first;
  const told = [first, ...others].slice(0, TENANTS_TOLD).join(', ');
  const more = others.length < TENANTS_TOLD ? '' : ' and more';
  throw new CommandError(`Several tenants have an operation ${operationId}: ${told}${more}. Name one with --tenant.`);
}

function story(operation: OperationDetail, width: number): string {
  const { operationId, tenant, state, resolvedBy, tool, provider, externalId, key, generation, attempts } = operation;
  const facts: readonly (readonly [string, string | null])[] = [
    ['tenant', tenant],
    ['state', resolvedBy === null ? state : `${state}, settled by ${RESOLVED_BY[resolvedBy]}`],
    ['reason', operation.reason],
    ['external ID', externalId],
    ['tool', tool],
    ['provider', provider],
    ['key', key],
    ['generation', `${generation}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`],
  ];
  const told = facts.flatMap(([name, value]) => (value === null ? [] : entry(name.padEnd(13), value, width)));
  const events = operation.events.flatMap((event) =>
    entry(`${timeText(event.at)}  `, eventText(event, operation.events), width),
  );
  return [operationId, ...told, '', 'Times are UTC, by the ledger.', ...events].join('\n');
}

const RESOLVED_BY: Readonly<Record<NonNullable<OperationDetail['resolvedBy']>, string>> = {
  answer: 'its answer',
  query: 'a query',
  webhook: 'a webhook',
  fence: 'a fence',
  person: 'a person',
};

/** The name once, and the lines of a longer text below each other. */
function entry(name: string, text: string, width: number): string[] {
  return wrapText(text, width - name.length).map(
    (line, index) => (index === 0 ? name : ' '.repeat(name.length)) + line,
  );
}

function timeText(instant: number): string {
  return isoTime(instant).replace('T', ' ').replace('Z', '');
}
