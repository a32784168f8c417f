import type { Database } from './database';
import type { OperationRef } from './ledger';

/** Something that is still to be told: a settlement to a session, or an escalation to people. */
export interface OutboxRow extends OperationRef {
  readonly kind: 'settled' | 'escalated';
  /** Empty where people are told. */
  readonly sessionId: string;
  /** The operation's version after the save that wrote it. */
  readonly version: number;
}

/** A settlement with the session it is for; null fields where nobody opened that session here. */
export interface ClaimedMessage extends OutboxRow {
  readonly taskQueue: string | null;
  readonly maxSteps: number | null;
  readonly isOpened: boolean;
}

const FIRST_PAUSE_S = 5;
const LONGEST_PAUSE_S = 3_600;

/** Claims what is due: it is tried again after a growing pause unless it is cleared. */
export async function claimMessages({ pool, schema }: Database, limit: number): Promise<readonly ClaimedMessage[]> {
  const { rows } = await pool.query<ClaimedMessage>(
    `with due as materialized (
       select tenant, operation_id, kind, session_id from ${schema}.outbox
       where due_at <= (select ${schema}.ledger_now())
       order by due_at limit $1 for update skip locked
     ), claimed as (
       update ${schema}.outbox as message
       set tries = tries + 1,
         due_at = ${schema}.ledger_now() + least($2 * 2 ^ least(tries, 30), $3) * interval '1 second'
       from due
       where (message.tenant, message.operation_id, message.kind, message.session_id)
         = (due.tenant, due.operation_id, due.kind, due.session_id)
       returning message.*
     )
     select claimed.tenant, claimed.operation_id as "operationId", claimed.kind, claimed.session_id as "sessionId", version,
       sessions.task_queue as "taskQueue", sessions.max_steps as "maxSteps", sessions.session_id is not null as "isOpened"
     from claimed left join ${schema}.sessions using (tenant, session_id)`,
    [limit, FIRST_PAUSE_S, LONGEST_PAUSE_S],
  );
  return rows;
}

/** It was told, or there is nobody to tell. What was written anew meanwhile stays. */
export async function clearMessage({ pool, schema }: Database, message: OutboxRow): Promise<void> {
  const { tenant, operationId, kind, sessionId, version } = message;
  await pool.query(
    `delete from ${schema}.outbox
     where tenant = $1 and operation_id = $2 and kind = $3 and session_id = $4 and version = $5`,
    [tenant, operationId, kind, sessionId, version],
  );
}
