import { Context } from '@temporalio/activity';
import type { ModelAnswer, PlannedCall } from '../conversations/plan';
import type { StepRef } from '../conversations/refs';
import { readStep, type Step, savePlan, saveResult, saveStep } from '../conversations/steps';
import { readTranscript } from '../conversations/transcript';
import { endTurn } from '../conversations/turns';
import { FINAL_CODES } from '../operations/reply';
import { ToolMissingError } from './activity-errors';
import type { CallModelInput, CallModelResult, ScheduledCall } from './activity-inputs';
import { askModel } from './ask-model';
import { callOptionsOf } from './call-options';
import type { ActivityContext } from './context';
import { modelPrompt } from './model-prompt';
import { planCalls } from './plan-calls';

/**
 * One step of a turn: the model's answer, and the plan of its calls. Answer and plan are each stored once, so a
 * repeated activity asks the model at most once more and never plans a call a second time.
 */
export async function callModel(context: ActivityContext, ref: CallModelInput): Promise<CallModelResult> {
  const { database } = context;
  const { turnOutcome, customer, step: known } = await readStep(database, ref);
  // A reset runs a turn again that has ended: the customer has read its last word, and nothing follows it.
  if (turnOutcome !== null) return { calls: [], ended: true };
  const place = { ...ref, customer };
  const step = known ?? (await ask(context, place));
  const plan = step.plan ?? (await savePlan(database, ref, await planned(context, place, step.answer)));
  for (const call of plan) {
    if (call.kind === 'refused') await saveResult(database, { ...ref, position: call.position }, call.reply);
  }
  if (step.answer.calls.length === 0)
    await endTurn(database, ref, { outcome: 'answered', reply: step.answer.text, toldBy: FINAL_CODES });
  return { calls: plan.flatMap((call) => scheduled(context, call)), ended: step.answer.calls.length === 0 };
}

interface OwnedStep extends StepRef {
  readonly customer: string;
}

/** Asks the model, and stores what it answers with its plan. */
async function ask(context: ActivityContext, place: OwnedStep): Promise<Step> {
  const { database, model, instructions, catalogue } = context;
  const messages = modelPrompt(await readTranscript(database, place));
  const { turn, step } = place;
  const abortSignal = Context.current().cancellationSignal;
  const { answer, requestIds } = await askModel({ model, instructions, messages, catalogue, turn, step, abortSignal });
  try {
    const plan = await planned(context, place, answer);
    return await saveStep(database, place, { answer, plan, requestIds });
  } catch (error) {
    // What cannot be planned now is planned by the next attempt, and the model is not asked a second time.
    await saveStep(database, place, { answer, plan: null, requestIds });
    throw error;
  }
}

function planned(
  { ledger, catalogue }: ActivityContext,
  { customer, ...step }: OwnedStep,
  { calls }: ModelAnswer,
): Promise<readonly PlannedCall[]> {
  return planCalls(calls, { catalogue, ledger, step, customer });
}

function scheduled({ catalogue, limits }: ActivityContext, call: PlannedCall): ScheduledCall[] {
  if (call.kind === 'refused') return [];
  const tool = catalogue.get(call.tool);
  // Planned by a worker of another release: one of those must schedule it, this one cannot know its time-outs.
  if (!tool) throw new ToolMissingError(call.tool);
  const operationId = call.kind === 'operation' ? call.operationId : null;
  return [{ position: call.position, tool: call.tool, operationId, options: callOptionsOf(tool, limits) }];
}
