import type { Database } from '../ledger/database';
import type { SessionRef } from './refs';

/** Whether something of these conversations is still to come: a turn that has not ended, or a settlement not yet told. */
export async function haveOpenEnds({ pool, schema }: Database, sessions: readonly SessionRef[]): Promise<boolean> {
  const { rows } = await pool.query<{ open: boolean }>(
    `with asked as (select * from unnest($1::text[], $2::text[]) as session (tenant, session_id))
     select exists (select from asked join ${schema}.turns using (tenant, session_id) where outcome is null)
       or exists (select from asked join ${schema}.outbox using (tenant, session_id) where kind = 'settled') as open`,
    [sessions.map(({ tenant }) => tenant), sessions.map(({ sessionId }) => sessionId)],
  );
  return rows[0]?.open ?? false;
}
