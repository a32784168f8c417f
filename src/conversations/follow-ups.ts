import type { Database } from '../ledger/database';
import { type SessionRef, type TurnRef, workflowIdOf } from './refs';
import type { TurnKind } from './turns';

/** What is left to do in a session, by one read. */
export interface SessionWork {
  readonly customer: string;
  /** The oldest turn without an end. */
  readonly open: { readonly turn: number; readonly kind: TurnKind } | null;
  /** Settlements that the session is to be told, and that nobody else has the first word on any more. */
  readonly settled: readonly Settlement[];
  /** Turns whose words the hook has not taken yet. */
  readonly undelivered: readonly number[];
}

/** An entry of the outbox: which operation settled, and by which of its versions. */
export interface Settlement {
  readonly operationId: string;
  readonly version: number;
}

/** Of one read; what is left over is seen by the next. */
const SETTLED_MAX = 50;
const UNDELIVERED_MAX = 20;

export async function readWork({ schema, pool }: Database, { tenant, sessionId }: SessionRef): Promise<SessionWork> {
  const { rows } = await pool.query<SessionWork>({
    name: 'sendonce-session-work',
    // What was tried is due: whoever claimed it has put its time off, and is why this is read.
    text: `
      select customer, (
        select json_build_object('turn', turn, 'kind', kind) from ${schema}.turns
        where tenant = $1 and session_id = $2 and outcome is null order by turn limit 1
      ) as open, coalesce((
        select json_agg(json_build_object('operationId', operation_id, 'version', version) order by operation_id)
        from (
          select operation_id, version from ${schema}.outbox
          where tenant = $1 and session_id = $2 and kind = 'settled' and (due_at <= ${schema}.ledger_now() or tries > 0)
          order by created_at limit ${SETTLED_MAX}
        ) as due
      ), '[]') as settled, coalesce((
        select json_agg(turn order by turn)
        from (
          select turn from ${schema}.turns
          where tenant = $1 and session_id = $2 and kind = 'follow_up' and outcome is not null and delivered_at is null
          order by turn limit ${UNDELIVERED_MAX}
        ) as told
      ), '[]') as undelivered
      from ${schema}.sessions where tenant = $1 and session_id = $2`,
    values: [tenant, sessionId],
  });
  const [row] = rows;
  if (!row) throw new Error(`Bug: the session ${sessionId} was never opened.`);
  return row;
}

/** A settlement with the words for it; null where there is nothing to tell any more. */
export interface Notice extends Settlement {
  readonly text: string | null;
}

const UNIQUE_VIOLATION = '23505';

/**
 * Takes settlements out of the outbox and puts one turn for each in their place, by one statement: each is told once,
 * whoever repeats this or does it at the same time. Does nothing while a turn is open, since that one may tell it
 * itself, and leaves an entry that was renewed since it was read.
 */
export async function addFollowUps(
  { schema, pool }: Database,
  { tenant, sessionId }: SessionRef,
  notices: readonly Notice[],
): Promise<void> {
  try {
    await pool.query(
      `with taken as (
         delete from ${schema}.outbox using unnest($3::text[], $4::int[], $5::json[]) as notice (operation_id, version, message)
         where tenant = $1 and session_id = $2 and kind = 'settled'
           and outbox.operation_id = notice.operation_id and outbox.version = notice.version
           and not exists (select from ${schema}.turns where tenant = $1 and session_id = $2 and outcome is null)
         returning notice.message, format('follow-up/%s/%s', outbox.operation_id, outbox.version) as request_key
       )
       insert into ${schema}.turns (tenant, session_id, turn, request_key, message, kind, created_at)
       select $1, $2, last.turn + row_number() over (order by request_key), request_key, message, 'follow_up',
         ${schema}.ledger_now()
       from taken, (
         select coalesce(max(turn), 0) as turn from ${schema}.turns where tenant = $1 and session_id = $2
       ) as last
       where message is not null and not exists (
         select from ${schema}.turns as told
         where told.tenant = $1 and told.session_id = $2 and told.request_key = taken.request_key
       )`,
      [
        tenant,
        sessionId,
        notices.map(({ operationId }) => operationId),
        notices.map(({ version }) => version),
        notices.map(({ text }) => (text === null ? null : JSON.stringify(text))),
      ],
    );
  } catch (error) {
    // A message took the turn's number at the same moment; all of this was undone, and the next look finds its turn.
    if (!isRecord(error) || error['code'] !== UNIQUE_VIOLATION) throw error;
  }
}

/** What a follow-up told, for whoever brings it to the customer. */
export interface FollowUpMessage {
  /** The same one each time that it is handed over. */
  readonly messageId: string;
  readonly tenant: string;
  readonly sessionId: string;
  readonly customer: string;
  readonly turn: number;
  readonly text: string;
}

/** Null where the turn is no follow-up that has ended, or was delivered. */
export async function readUndelivered({ schema, pool }: Database, ref: TurnRef): Promise<FollowUpMessage | null> {
  const { tenant, sessionId, turn } = ref;
  const { rows } = await pool.query<{ customer: string; text: string }>(
    `select customer, reply as text from ${schema}.turns join ${schema}.sessions using (tenant, session_id)
     where tenant = $1 and session_id = $2 and turn = $3
       and kind = 'follow_up' and outcome is not null and delivered_at is null`,
    [tenant, sessionId, turn],
  );
  const [row] = rows;
  return row ? { messageId: workflowIdOf(ref), tenant, sessionId, customer: row.customer, turn, text: row.text } : null;
}

export async function markDelivered(
  { schema, pool }: Database,
  { tenant, sessionId }: SessionRef,
  turns: readonly number[],
): Promise<void> {
  await pool.query(
    `update ${schema}.turns set delivered_at = coalesce(delivered_at, ${schema}.ledger_now())
     where tenant = $1 and session_id = $2 and turn = any($3)`,
    [tenant, sessionId, turns],
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
