import type { Database } from '../ledger/database';
import type { Reply } from '../operations/reply';
import type { ModelAnswer } from './plan';
import type { TurnRef } from './refs';
import type { TurnOutcome } from './turns';

/** A conversation as the model gets to see it, up to and including one turn. */
export interface TranscriptTurn {
  readonly turn: number;
  readonly message: string;
  readonly outcome: TurnOutcome | null;
  readonly reply: string | null;
  readonly steps: readonly TranscriptStep[];
}

export interface TranscriptStep {
  readonly step: number;
  readonly answer: ModelAnswer;
  /** By position; a call without a result has none yet. */
  readonly results: readonly { readonly position: number; readonly reply: Reply }[];
}

export async function readTranscript(database: Database, ref: TurnRef): Promise<readonly TranscriptTurn[]> {
  const { schema, pool } = database;
  const { rows } = await pool.query<TranscriptTurn>(
    `select turn, message, outcome, reply, coalesce((
       select json_agg(json_build_object('step', step, 'answer', answer, 'results', coalesce((
         select json_agg(json_build_object('position', position, 'reply', result) order by position)
         from ${schema}.results
         where (results.tenant, results.session_id, results.turn, results.step)
           = (steps.tenant, steps.session_id, steps.turn, steps.step)
       ), '[]')) order by step)
       from ${schema}.steps
       where (steps.tenant, steps.session_id, steps.turn) = (turns.tenant, turns.session_id, turns.turn)
     ), '[]') as steps
     from ${schema}.turns
     where tenant = $1 and session_id = $2 and turn <= $3
     order by turn`,
    [ref.tenant, ref.sessionId, ref.turn],
  );
  return rows;
}
