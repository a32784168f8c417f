import type { Database } from '../ledger/database';
import type { Reply } from '../operations/reply';
import type { ModelAnswer, ModelRequestIds, PlannedCall } from './plan';
import type { CallPlace, StepRef } from './refs';
import type { TurnOutcome } from './turns';

export interface Step {
  readonly answer: ModelAnswer;
  /** Null until the calls were planned. */
  readonly plan: readonly PlannedCall[] | null;
}

/** A step with what is around it, by one read. */
export interface StepRecord {
  /** Null until the model has answered. */
  readonly step: Step | null;
  readonly turnOutcome: TurnOutcome | null;
  /** Whom the session belongs to. */
  readonly customer: string;
}

export async function readStep(database: Database, ref: StepRef): Promise<StepRecord> {
  const { schema, pool } = database;
  const { rows } = await pool.query<Omit<StepRecord, 'step'> & { answer: ModelAnswer | null; plan: Step['plan'] }>(
    `select turns.outcome as "turnOutcome", sessions.customer, steps.answer, steps.plan
     from ${schema}.turns
     join ${schema}.sessions using (tenant, session_id)
     left join ${schema}.steps on (steps.tenant, steps.session_id, steps.turn, steps.step)
       = (turns.tenant, turns.session_id, turns.turn, $4)
     where turns.tenant = $1 and turns.session_id = $2 and turns.turn = $3`,
    stepValues(ref),
  );
  const [row] = rows;
  if (!row) throw new Error(`Bug: turn ${ref.turn} of session ${ref.sessionId} was never stored.`);
  const { answer, plan, turnOutcome, customer } = row;
  return { step: answer === null ? null : { answer, plan }, turnOutcome, customer };
}

export interface NewStep {
  readonly answer: ModelAnswer;
  /** Null where the calls could not be planned: the answer is kept, and they are planned later. */
  readonly plan: readonly PlannedCall[] | null;
  readonly requestIds: ModelRequestIds;
}

/** Stores the model's answer, its plan and which request brought it; the first answer counts, and is what comes back. */
export async function saveStep(
  { schema, pool }: Database,
  ref: StepRef,
  { answer, plan, requestIds: { clientRequestId, requestId } }: NewStep,
): Promise<Step> {
  const { rows } = await pool.query<Step>(
    `insert into ${schema}.steps
       (tenant, session_id, turn, step, answer, plan, client_request_id, model_request_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, ${schema}.ledger_now())
     on conflict (tenant, session_id, turn, step) do update set answer = steps.answer
     returning answer, plan`,
    [
      ...stepValues(ref),
      JSON.stringify(answer),
      plan === null ? null : JSON.stringify(plan),
      clientRequestId,
      requestId,
    ],
  );
  return stored(rows, ref);
}

/** Stores the plan of an answer that has none yet; the first one counts, and is what comes back. */
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

/**
 * Stores what a call told; the first one counts, and is what comes back: a call has one truth. `told`: whose standing
 * that was, where the reply is not the operation's own.
 */
export async function saveResult(
  { schema, pool }: Database,
  place: CallPlace,
  reply: Reply,
  told: Pick<Reply, 'operationId' | 'code'> = reply,
): Promise<Reply> {
  const { operationId, code } = told;
  const { rows } = await pool.query<{ result: Reply }>(
    `insert into ${schema}.results (tenant, session_id, turn, step, position, result, operation_id, code, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, ${schema}.ledger_now())
     on conflict (tenant, session_id, turn, step, position) do update set result = results.result
     returning result`,
    [...stepValues(place), place.position, JSON.stringify(reply), operationId, operationId === null ? null : code],
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
