import type { Database } from '../ledger/database';
import { epochMs } from '../ledger/epoch-ms';
import type { Reply } from '../operations/reply';
import type { Instant } from '../operations/time';
import type { ModelAnswer, ModelRequestIds, PlannedCall } from './plan';
import type { TurnRef } from './refs';
import type { TurnKind, TurnOutcome } from './turns';

/** A conversation as the model gets to see it, up to and including one turn. */
export interface TranscriptTurn {
  readonly turn: number;
  /** Ledger time of the message. */
  readonly at: Instant;
  readonly kind: TurnKind;
  /** Of a follow-up: the notice of what became of its operation. */
  readonly message: string;
  readonly outcome: TurnOutcome | null;
  readonly reply: string | null;
  /** Null while the turn runs. */
  readonly endedAt: Instant | null;
  readonly steps: readonly TranscriptStep[];
}

export interface TranscriptStep {
  readonly step: number;
  readonly at: Instant;
  readonly answer: ModelAnswer;
  /** For support. Null where an earlier release stored the answer. */
  readonly requestIds: ModelRequestIds | null;
  /** Null until the calls were planned. */
  readonly plan: readonly PlannedCall[] | null;
  /** By position; a call without a result has none yet. */
  readonly results: readonly TranscriptResult[];
}

export interface TranscriptResult {
  readonly position: number;
  readonly at: Instant;
  readonly reply: Reply;
}

export async function readTranscript(database: Database, ref: TurnRef): Promise<readonly TranscriptTurn[]> {
  return readTurns(database, ref, 1);
}

/** One turn alone. */
export async function readTurnRecord(database: Database, ref: TurnRef): Promise<TranscriptTurn> {
  const [record] = await readTurns(database, ref, ref.turn);
  if (!record) throw new Error(`Bug: turn ${ref.turn} of session ${ref.sessionId} was never stored.`);
  return record;
}

async function readTurns(
  { schema, pool }: Database,
  { tenant, sessionId, turn }: TurnRef,
  first: number,
): Promise<readonly TranscriptTurn[]> {
  const { rows } = await pool.query<TranscriptTurn>(
    `select turn, ${epochMs('created_at')} as at, kind, message, outcome, reply, ${epochMs('ended_at')} as "endedAt", coalesce((
       select json_agg(json_build_object('step', step, 'at', ${epochMs('created_at')}, 'answer', answer, 'plan', plan,
         'requestIds', case when client_request_id is not null then
           json_build_object('clientRequestId', client_request_id, 'requestId', model_request_id) end,
         'results', coalesce((
           select json_agg(json_build_object('position', position, 'at', ${epochMs('created_at')}, 'reply', result)
             order by position)
           from ${schema}.results
           where (results.tenant, results.session_id, results.turn, results.step)
             = (steps.tenant, steps.session_id, steps.turn, steps.step)
         ), '[]')) order by step)
       from ${schema}.steps
       where (steps.tenant, steps.session_id, steps.turn) = (turns.tenant, turns.session_id, turns.turn)
     ), '[]') as steps
     from ${schema}.turns
     where tenant = $1 and session_id = $2 and turn between $4 and $3
     order by turn`,
    [tenant, sessionId, turn, first],
  );
  return rows;
}
