import type { Database } from '../ledger/database';
import { STALE_TURN } from '../ledger/stale-turn';
import type { SessionRef } from './refs';

/** A session with a turn that nobody has ended, or a follow-up that nobody has delivered, for longer than a wake-up takes. */
export interface StaleSession extends SessionRef {
  readonly taskQueue: string | null;
  readonly maxSteps: number | null;
}

/** Claims some, the oldest turns first: they are woken again after a while if that did not help. */
export async function claimStaleSessions({ pool, schema }: Database, limit: number): Promise<readonly StaleSession[]> {
  const { rows } = await pool.query<StaleSession>(
    `with stale as materialized (
       select turns.tenant, turns.session_id, turns.turn from ${schema}.turns, ${schema}.ledger_now() as clock (at)
       where ${STALE_TURN} order by created_at limit $1 for update of turns skip locked
     ), hinted as (
       update ${schema}.turns set hinted_at = ${schema}.ledger_now()
       from stale where (turns.tenant, turns.session_id, turns.turn) = (stale.tenant, stale.session_id, stale.turn)
       returning turns.tenant, turns.session_id
     )
     select distinct tenant, session_id as "sessionId", task_queue as "taskQueue", max_steps as "maxSteps"
     from hinted join ${schema}.sessions using (tenant, session_id)`,
    [limit],
  );
  return rows;
}
