import type { Duration, Instant } from '../operations/time';
import type { Database } from './database';
import { epochMs } from './epoch-ms';
import type { OperationRef } from './ledger';
import { LOCK_IN_ORDER } from './lock-in-order';
import { NOT_SETTLED } from './not-settled';
import { STALE_TURN } from './stale-turn';

/** What reconciliation has before it, from one statement that costs what is due and not what is stored. */
export interface Agenda {
  /** The ledger's time. */
  readonly now: Instant;
  /** Operations of the worker's tools and their providers that are due. */
  readonly due: boolean;
  /** Operations that have been due for long, and whose tool with that provider this worker does not have. */
  readonly orphaned: boolean;
  /** Messages that are due to be told, and turns whose wake-up may have been lost. */
  readonly toTell: boolean;
  /** When the next of them all is due; null where nothing is. */
  readonly nextDueAt: Instant | null;
  /** How many are not settled, by state; counted up to `COUNTED_UP_TO`. */
  readonly open: Readonly<Record<string, number>>;
  /** Messages that are not told yet, due or not; counted as far. */
  readonly untold: number;
}

/** Nobody reads larger numbers, and counting them would cost what is stored. */
const COUNTED_UP_TO = 10_000;

const FIRST_PAUSE_S = 60;
const LONGEST_PAUSE_S = 3_600;

/** An operation that one worker looks at, until the lease is over. The lease is no permit: every save is gated by itself. */
export interface ClaimedOperation extends OperationRef {
  readonly tool: string;
  readonly provider: string;
  /** Looks before this one since something new was recorded. */
  readonly checks: number;
}

/**
 * The tools of this worker that make operations, each with the provider it goes to. What a tool made with another one is
 * not for this worker: after a change of the provider, workers of both releases run for a while.
 */
export type OwnTools = Readonly<Record<string, string>>;

export interface Claim {
  readonly tools: OwnTools;
  readonly lease: Duration;
  /** Of one provider: one that is slow or has much due keeps none of the others waiting. */
  readonly perProvider: number;
}

export async function readAgenda(
  { pool, schema }: Database,
  { tools, orphanedAfter }: { readonly tools: OwnTools; readonly orphanedAfter: Duration },
): Promise<Agenda> {
  const operations = `${schema}.operations`;
  const { rows } = await pool.query<Agenda>({
    name: 'sendonce-agenda',
    text: `
      select ${epochMs('clock.at')} as now,
        exists (select from ${operations} where due_at <= clock.at and ${OWN}) as due,
        exists (
          select from ${operations} where due_at <= clock.at - $2::float8 * interval '1 millisecond' and ${NOT_OWN}
        ) as orphaned,
        exists (select from ${schema}.outbox where due_at <= clock.at)
          or exists (select from ${schema}.turns where ${STALE_TURN}) as "toTell",
        ${epochMs(`least(
          (select min(due_at) from ${operations} where due_at is not null and ${OWN}),
          (select min(due_at) from ${schema}.outbox)
        )`)} as "nextDueAt",
        coalesce((
          select json_object_agg(state, count) from (
            select state, count(*) as count
            from (select state from ${operations} where state in (${NOT_SETTLED}) limit ${COUNTED_UP_TO}) as counted
            group by state
          ) as by_state
        ), '{}') as open,
        (select count(*)::int from (select from ${schema}.outbox limit ${COUNTED_UP_TO}) as counted) as untold
      from ${schema}.ledger_now() as clock (at)`,
    values: [tools, orphanedAfter],
  });
  const [agenda] = rows;
  if (!agenda) throw new Error('Bug: the agenda is one row always.');
  return agenda;
}

/** Claims what is due, the most overdue first. What others claim at the same moment is left to them. */
export async function claimDue({ pool, schema }: Database, claim: Claim): Promise<readonly ClaimedOperation[]> {
  const { tools, lease, perProvider } = claim;
  const due = `due_at <= (select ${schema}.ledger_now()) and ${OWN}`;
  const { rows } = await pool.query<ClaimedOperation>({
    name: 'sendonce-claim',
    text: `
      with due as materialized (
        select next.tenant, next.operation_id
        from (select distinct provider from ${schema}.operations where ${due}) as asked,
        lateral (
          select tenant, operation_id from ${schema}.operations
          where ${due} and provider = asked.provider
          order by due_at limit $2 for update skip locked
        ) as next
      )
      update ${schema}.operations as operation
      set due_at = ${schema}.ledger_now() + $3::float8 * interval '1 millisecond'
      from due
      where (operation.tenant, operation.operation_id) = (due.tenant, due.operation_id)
      returning ${CLAIMED}`,
    values: [tools, perProvider, lease],
  });
  return rows;
}

/** Claims some operations that have been due for long and are of none of the tools with their providers. */
export async function claimOrphaned(
  { pool, schema }: Database,
  { tools, lease, orphanedAfter, limit }: Omit<Claim, 'perProvider'> & { orphanedAfter: Duration; limit: number },
): Promise<readonly ClaimedOperation[]> {
  const { rows } = await pool.query<ClaimedOperation>(
    `with due as materialized (
       select tenant, operation_id from ${schema}.operations
       where due_at <= (select ${schema}.ledger_now()) - $2::float8 * interval '1 millisecond' and ${NOT_OWN}
       order by due_at limit $3 for update skip locked
     )
     update ${schema}.operations as operation
     set due_at = ${schema}.ledger_now() + $4::float8 * interval '1 millisecond'
     from due
     where (operation.tenant, operation.operation_id) = (due.tenant, due.operation_id)
     returning ${CLAIMED}`,
    [tools, orphanedAfter, limit, lease],
  );
  return rows;
}

const OWN = 'provider = $1::jsonb ->> tool';
const NOT_OWN = 'provider is distinct from $1::jsonb ->> tool';

const CLAIMED =
  'operation.tenant, operation.operation_id as "operationId", operation.tool, operation.provider, operation.checks';

/**
 * The result of a look: when the next one is due. Whoever wrote meanwhile has set another time, and that one stays; so
 * does the time of whoever made it due at once, since a lease and what a save decides lie in the future.
 */
export async function scheduleNext(
  { pool, schema }: Database,
  next: OperationRef & { readonly version: number; readonly dueAt: Instant | null; readonly checks: number },
): Promise<void> {
  const { tenant, operationId, version, dueAt, checks } = next;
  await pool.query({
    name: 'sendonce-schedule',
    text: `
      update ${schema}.operations
      set due_at = timestamptz 'epoch' + $4::bigint * interval '1 millisecond', checks = $5, checked_at = ${schema}.ledger_now()
      where tenant = $1 and operation_id = $2 and version = $3 and due_at > ${schema}.ledger_now()`,
    values: [tenant, operationId, version, dueAt === null ? null : Math.ceil(dueAt), checks],
  });
}

/**
 * After a look that broke off: tried again after a growing pause, since it may break off each time. Whoever wrote
 * meanwhile, or made it due at once, has set the time.
 */
export async function putOff(
  { pool, schema }: Database,
  { tenant, operationId, checks }: ClaimedOperation,
): Promise<void> {
  await pool.query(
    `update ${schema}.operations
     set due_at = ${schema}.ledger_now() + least($4 * 2 ^ least(checks, 30), $5) * interval '1 second', checks = checks + 1
     where tenant = $1 and operation_id = $2 and checks = $3 and due_at > ${schema}.ledger_now()`,
    [tenant, operationId, checks, FIRST_PAUSE_S, LONGEST_PAUSE_S],
  );
}

/** Gives back what was claimed and not looked at. Locked in one order everywhere, so that nobody waits in a circle. */
export async function giveBack({ pool, schema }: Database, refs: readonly OperationRef[]): Promise<void> {
  if (refs.length === 0) return;
  await pool.query(
    `with claimed as materialized (
       select tenant, operation_id from ${schema}.operations
       where (tenant, operation_id) in (select * from unnest($1::text[], $2::text[])) and due_at is not null
       ${LOCK_IN_ORDER}
     )
     update ${schema}.operations as operation set due_at = ${schema}.ledger_now()
     from claimed
     where (operation.tenant, operation.operation_id) = (claimed.tenant, claimed.operation_id)`,
    [refs.map(({ tenant }) => tenant), refs.map(({ operationId }) => operationId)],
  );
}
