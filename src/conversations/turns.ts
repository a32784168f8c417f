import type { Database } from '../ledger/database';
import type { ReplyCode } from '../operations/reply';
import { checkName } from './names';
import type { SessionRef, TurnRef } from './refs';

/** The SQL constraint and this list are compared by a test. */
export const TURN_OUTCOMES = ['answered', 'step_limit', 'failed', 'cancelled'] as const;
/**
 * How a turn ended. `answered`: the model spoke last. `step_limit`: it was stopped after as many steps as a turn may take.
 * None of them says what became of an operation: that is in its state.
 */
export type TurnOutcome = (typeof TURN_OUTCOMES)[number];

/** The SQL constraint and this list are compared by a test. */
export const TURN_KINDS = ['message', 'follow_up'] as const;
/** What begins a turn: a customer's message, or what became of an operation they were to hear of. */
export type TurnKind = (typeof TURN_KINDS)[number];

export interface Turn {
  readonly kind: TurnKind;
  /** Of a follow-up: the notice of what became of its operation. */
  readonly message: string;
  /** Null while the turn runs. */
  readonly outcome: TurnOutcome | null;
  /** What the customer was told; null while the turn runs. */
  readonly reply: string | null;
}

/** The request key was used in this session for another text. The first text is what counts; nothing was started. */
export class RequestKeyConflictError extends Error {
  readonly code = 'SENDONCE_REQUEST_KEY_CONFLICT';
  override readonly name = 'RequestKeyConflictError';
  constructor(readonly requestKey: string) {
    super(
      `The request key ${requestKey} was used for another text in this session. Give each message a key of its own.`,
    );
  }
}

/** The text is empty, blank or too long. Nothing was stored or started. */
export class MessageInvalidError extends Error {
  readonly code = 'SENDONCE_MESSAGE_INVALID';
  override readonly name = 'MessageInvalidError';
  constructor(readonly length: number) {
    super(`A message must have 1 to ${MESSAGE_MAX} characters, not all of them blank; this one has ${length}.`);
  }
}

/** Characters of one message: far above what people write, far below what a model or a row could not take. */
const MESSAGE_MAX = 100_000;

export interface NewMessage extends SessionRef {
  readonly requestKey: string;
  readonly text: string;
}

/** Stores the message as the session's next turn; the same request key gives the same turn. */
export async function addMessage(database: Database, message: NewMessage): Promise<TurnRef> {
  const { tenant, sessionId, requestKey, text } = message;
  checkName('request key', requestKey);
  // Trusted code may pass on what a request brought, and there a text is not always one.
  const length = typeof text === 'string' ? text.length : 0;
  // Endpoints refuse a blank message, and every later prompt of the session would show it to them again.
  if (length === 0 || length > MESSAGE_MAX || text.trim() === '') throw new MessageInvalidError(length);
  const { schema, pool } = database;
  for (;;) {
    await pool.query(
      `insert into ${schema}.turns (tenant, session_id, turn, request_key, message, created_at)
       select $1, $2, coalesce(max(turn), 0) + 1, $3, $4, ${schema}.ledger_now()
       from ${schema}.turns where tenant = $1 and session_id = $2
       on conflict do nothing`,
      [tenant, sessionId, requestKey, JSON.stringify(text)],
    );
    const { rows } = await pool.query<{ turn: number; message: string }>(
      `select turn, message from ${schema}.turns where tenant = $1 and session_id = $2 and request_key = $3`,
      [tenant, sessionId, requestKey],
    );
    const [row] = rows;
    // No row: another message took the same turn number at the same moment. The next round takes the number after it.
    if (!row) continue;
    if (row.message !== text) throw new RequestKeyConflictError(requestKey);
    return { tenant, sessionId, turn: row.turn };
  }
}

export async function readTurn(database: Database, ref: TurnRef): Promise<Turn> {
  const { rows } = await database.pool.query<Turn>(
    `select kind, message, outcome, reply from ${database.schema}.turns
     where tenant = $1 and session_id = $2 and turn = $3`,
    [ref.tenant, ref.sessionId, ref.turn],
  );
  return stored(rows, ref);
}

export interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly reply: string;
  /** Codes of results that leave nothing to be told later, where the customer has read them with this end. */
  readonly toldBy?: readonly ReplyCode[];
}

/**
 * Ends the turn with what the customer is told; the first end counts, and is what comes back. What such a result has
 * told since an operation settled is not told again: both by one statement, so that no crash lies between them.
 */
export async function endTurn(
  { schema, pool }: Database,
  ref: TurnRef,
  { outcome, reply, toldBy = [] }: TurnEnd,
): Promise<Turn> {
  const { rows } = await pool.query<Turn>(
    `with ended as (
       update ${schema}.turns
       set outcome = coalesce(outcome, $4), reply = coalesce(reply, $5), ended_at = coalesce(ended_at, ${schema}.ledger_now())
       where tenant = $1 and session_id = $2 and turn = $3
       returning kind, message, outcome, reply
     ), cleared as (
       delete from ${schema}.outbox
       where tenant = $1 and session_id = $2 and kind = 'settled'
         and exists (select from ended where ended.outcome = $4)
         and exists (
           select from ${schema}.results
           where results.tenant = $1 and results.session_id = $2 and turn = $3
             and results.operation_id = outbox.operation_id and code = any($6) and results.created_at >= outbox.created_at
         )
     )
     select kind, message, outcome, reply from ended`,
    [ref.tenant, ref.sessionId, ref.turn, outcome, JSON.stringify(reply), toldBy],
  );
  return stored(rows, ref);
}

function stored([turn]: readonly Turn[], ref: TurnRef): Turn {
  if (turn === undefined) throw new Error(`Bug: turn ${ref.turn} of session ${ref.sessionId} was never stored.`);
  return turn;
}
