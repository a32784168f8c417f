import type { Database } from '../ledger/database';
import type { Reply } from '../operations/reply';
import type { ModelAnswer, ModelRequestIds, PlannedCall } from './plan';
import type { CallPlace, StepRef } from './refs';

export interface Step {
  readonly answer: ModelAnswer;
  /** Null until the calls were planned. */
  readonly plan: readonly PlannedCall[] | null;
}

export async function readStep(database: Database, ref: StepRef): Promise<Step | null> {
  const { rows } = await database.pool.query<Step>(
    `select answer, plan from ${database.schema}.steps where ${STEP}`,
    stepValues(ref),
  );
  return rows[0] ?? null;
}

/** Stores the model's answer and which request brought it; the first one counts, and is what comes back. */
export async function saveAnswer(
  database: Database,
  ref: StepRef,
  answer: ModelAnswer,
  { clientRequestId, requestId }: ModelRequestIds,
): Promise<Step> {
  const { schema, pool } = database;
  const { rows } = await pool.query<Step>(
    `insert into ${schema}.steps
       (tenant, session_id, turn, step, answer, client_request_id, model_request_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, ${schema}.ledger_now())
     on conflict (tenant, session_id, turn, step) do update set answer = steps.answer
     returning answer, plan`,
    [...stepValues(ref), JSON.stringify(answer), clientRequestId, requestId],
  );
  return stored(rows, ref);
}

/** Stores the plan of the answer's calls; the first one counts, and is what comes back. */
export async function savePlan(
  database: Database,
  ref: StepRef,
  plan: readonly PlannedCall[],
): Promise<readonly PlannedCall[]> {
  const { rows } = await database.pool.query<Step>(
    `update ${database.schema}.steps set plan = coalesce(plan, $5) where ${STEP} returning answer, plan`,
    [...stepValues(ref), JSON.stringify(plan)],
  );
  return stored(rows, ref).plan ?? plan;
}

/** Stores what a call told; the first one counts, and is what comes back: a call has one truth. */
export async function saveResult(database: Database, place: CallPlace, reply: Reply): Promise<Reply> {
  const values = [...stepValues(place), place.position];
  const { schema, pool } = database;
  const { rows } = await pool.query<{ result: Reply }>(
    `insert into ${schema}.results (tenant, session_id, turn, step, position, result, created_at)
     values ($1, $2, $3, $4, $5, $6, ${schema}.ledger_now())
     on conflict (tenant, session_id, turn, step, position) do update set result = results.result
     returning result`,
    [...values, JSON.stringify(reply)],
  );
  return rows[0]?.result ?? reply;
}

const STEP = 'tenant = $1 and session_id = $2 and turn = $3 and step = $4';

function stepValues({ tenant, sessionId, turn, step }: StepRef): [string, string, number, number] {
  return [tenant, sessionId, turn, step];
}

function stored([step]: readonly Step[], ref: StepRef): Step {
  if (step === undefined) throw new Error(`Bug: step ${ref.step} of turn ${ref.turn} was stored and is gone.`);
  return step;
}
