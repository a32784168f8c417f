import type { Database } from '../ledger/database';
import { checkName } from './names';
import type { SessionRef } from './refs';

/** The session exists and belongs to another customer. Nothing of it is told. */
export class SessionTakenError extends Error {
  readonly code = 'SENDONCE_SESSION_TAKEN';
  override readonly name = 'SessionTakenError';
  constructor(readonly sessionId: string) {
    super(`The session ${sessionId} belongs to another customer. Open a session with an ID of its own.`);
  }
}

export interface OpenSession extends SessionRef {
  readonly customer: string;
  /** Where its turns run; for those that no message begins. */
  readonly taskQueue?: string;
  /** Model calls its turns may take. */
  readonly maxSteps?: number;
}

/** Opens the session, or finds it open. Only trusted code calls this: the customer is who the calls act for. */
export async function openSession(database: Database, session: OpenSession): Promise<void> {
  const { tenant, sessionId, customer, taskQueue = null, maxSteps = null } = session;
  checkName('tenant', tenant);
  checkName('session ID', sessionId);
  checkName('customer', customer);
  await database.pool.query(
    `insert into ${database.schema}.sessions as session (tenant, session_id, customer, task_queue, max_steps, created_at)
     values ($1, $2, $3, $4, $5, ${database.schema}.ledger_now())
     on conflict (tenant, session_id) do update
       set task_queue = excluded.task_queue, max_steps = excluded.max_steps
       where session.customer = excluded.customer
         and (session.task_queue, session.max_steps) is distinct from (excluded.task_queue, excluded.max_steps)`,
    [tenant, sessionId, customer, taskQueue, maxSteps],
  );
  if ((await customerOf(database, session)) !== customer) throw new SessionTakenError(sessionId);
}

/** The customer of a session that was opened; throws for one that was not. */
export async function customerOf(database: Database, { tenant, sessionId }: SessionRef): Promise<string> {
  const { rows } = await database.pool.query<{ customer: string }>(
    `select customer from ${database.schema}.sessions where tenant = $1 and session_id = $2`,
    [tenant, sessionId],
  );
  const [row] = rows;
  if (!row) throw new Error(`Bug: the session ${sessionId} was never opened.`);
  return row.customer;
}
