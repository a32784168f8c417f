import type { WaitsFor } from '../operations/event';
import { isSettled, STATES, type State } from '../operations/state';
import type { Duration, Instant } from '../operations/time';
import type { Database } from './database';
import { epochMs } from './epoch-ms';
import { checkText, FilterInvalidError } from './filter-invalid-error';
import type { OperationRef } from './ledger';
import { NOT_SETTLED } from './not-settled';
import { cursorAfter, readCursor } from './operation-cursor';
import { LOOKS, type Looks } from './read-looks';

/** An operation as lists show it: its row, read at this moment. Times are the ledger's, in ms since the Unix epoch. */
export interface OperationSummary extends OperationRef, Looks {
  readonly tool: string;
  readonly provider: string;
  readonly state: State;
  /** What keeps it from being sent while it is registered; null where nothing does. */
  readonly waitsFor: WaitsFor | null;
  /** Why, in words, where the state needs a reason. */
  readonly reason: string | null;
  /** The provider's number for the effect. */
  readonly externalId: string | null;
  /** Who settled it; null while it is not settled. */
  readonly resolvedBy: 'answer' | 'query' | 'webhook' | 'fence' | 'person' | null;
  readonly generation: number;
  /** The current generation's key; null where nothing was registered. */
  readonly key: string | null;
  /** Of the current generation. */
  readonly attempts: number;
  /** Number of events. */
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** What is left out does not narrow. */
export interface OperationFilter {
  readonly tenant?: string;
  readonly tool?: string;
  readonly provider?: string;
  /** One state, or any of several. */
  readonly state?: State | readonly State[];
  /** Registered at least so long ago. */
  readonly olderThan?: Duration;
  /** 1 to 1,000; 50 unless given. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

/** Newest first. */
export interface OperationPage {
  readonly operations: readonly OperationSummary[];
  /** For `after`; null on the last page. */
  readonly next: string | null;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 1_000;

/** Every filter, by its name. */
const FILTERS = {
  tenant: true,
  tool: true,
  provider: true,
  state: true,
  olderThan: true,
  limit: true,
  after: true,
} satisfies Record<keyof OperationFilter, true>;

/** Finds operations by their rows. Throws FilterInvalidError for a name or a value that is no filter's. */
export async function findOperations(database: Database, filter: OperationFilter = {}): Promise<OperationPage> {
  checkFilters(filter);
  const limit = limitOf(filter);
  const { tenant, tool, provider, olderThan } = filter;
  const after = filter.after === undefined ? null : readCursor(filter.after);
  const { schema, pool } = database;
  const { rows } = await pool.query<OperationSummary>(
    `select * from (
       select tenant, operation_id as "operationId", tool, provider, ${READ_STATE} as state,
         waits_for as "waitsFor", reason,
         external_id as "externalId", resolved_by as "resolvedBy", generation, key, attempts, version,
         ${LOOKS}, ${epochMs('created_at')} as "createdAt", ${epochMs('updated_at')} as "updatedAt"
       from ${schema}.operations, ${schema}.ledger_now() as clock (at)
       where ($1::text is null or tenant = $1) and ($2::text is null or tool = $2)
         and ($3::text is null or provider = $3)
         and ($4::float8 is null or created_at <= clock.at - $4 * interval '1 millisecond')
         and ($5::text[] is null or ${READ_STATE} = any ($5))
         and ($6::bigint is null or (created_at, tenant, operation_id)
           < (timestamptz 'epoch' + $6 * interval '1 millisecond', $7::text, $8::text))
         ${wantsSettled(filter) ? '' : `and state in (${NOT_SETTLED})`}
       order by created_at desc, operations.tenant desc, operations.operation_id desc
       limit $9
     ) as page`,
    [
      tenant ?? null,
      tool ?? null,
      provider ?? null,
      olderThan ?? null,
      statesOf(filter),
      ...(after === null ? [null, null, null] : [after.createdAt, after.tenant, after.operationId]),
      limit + 1,
    ],
  );
  const operations = rows.slice(0, limit);
  const last = operations.at(-1);
  return { operations, next: rows.length > limit && last ? cursorAfter(last) : null };
}

/** As `stateAt` reads it for someone who is no call, at a time that is never before the latest event. */
const READ_STATE = `case when state = 'submitted'
  and (in_flight_until is null or in_flight_until < greatest(clock.at, updated_at)) then 'unknown' else state end`;

function wantsSettled(filter: OperationFilter): boolean {
  return statesOf(filter)?.some(isSettled) ?? true;
}

/** A mistyped name, or a tenant that was not found, would list the operations of all. */
function checkFilters(filter: OperationFilter): void {
  for (const [name, value] of Object.entries(filter)) {
    if (!Object.hasOwn(FILTERS, name)) {
      throw new FilterInvalidError(name, value, `one that there is: ${Object.keys(FILTERS).join(', ')}`);
    }
  }
  for (const name of ['tenant', 'tool', 'provider', 'after'] as const) {
    if (filter[name] !== undefined) checkText(name, filter[name]);
  }
}

function statesOf({ state }: OperationFilter): readonly State[] | null {
  if (state === undefined) return null;
  const states: readonly State[] = typeof state === 'string' ? [state] : state;
  const strange = states.find((one) => !STATES.includes(one));
  if (strange !== undefined || states.length === 0) {
    throw new FilterInvalidError('state', strange ?? states, `one of ${STATES.join(', ')}`);
  }
  return states;
}

function limitOf({ limit = LIMIT_DEFAULT }: OperationFilter): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new FilterInvalidError('limit', limit, `a whole number from 1 to ${LIMIT_MAX}`);
  }
  return limit;
}
