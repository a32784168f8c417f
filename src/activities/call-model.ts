import { Context } from '@temporalio/activity';
import type { PlannedCall } from '../conversations/plan';
import type { StepRef } from '../conversations/refs';
import { customerOf } from '../conversations/sessions';
import { readStep, type Step, saveAnswer, savePlan, saveResult } from '../conversations/steps';
import { readTranscript } from '../conversations/transcript';
import { endTurn, readTurn } from '../conversations/turns';
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
  // A reset runs a turn again that has ended: the customer has read its last word, and nothing follows it.
  if ((await readTurn(database, ref)).outcome !== null) return { calls: [], ended: true };
  const step = (await readStep(database, ref)) ?? (await answer(context, ref));
  const plan = step.plan ?? (await planned(context, ref, step));
  for (const call of plan) {
    if (call.kind === 'refused') await saveResult(database, { ...ref, position: call.position }, call.reply);
  }
  if (step.answer.calls.length === 0) await endTurn(database, ref, { outcome: 'answered', reply: step.answer.text });
  return { calls: plan.flatMap((call) => scheduled(context, call)), ended: step.answer.calls.length === 0 };
}

async function answer(context: ActivityContext, ref: StepRef): Promise<Step> {
  const { database, model, instructions, catalogue } = context;
  const messages = modelPrompt(await readTranscript(database, ref));
  const { turn, step } = ref;
  const abortSignal = Context.current().cancellationSignal;
  const asked = await askModel({ model, instructions, messages, catalogue, turn, step, abortSignal });
  return saveAnswer(database, ref, asked.answer, asked.requestIds);
}

async function planned(context: ActivityContext, ref: StepRef, step: Step): Promise<readonly PlannedCall[]> {
  const { database, ledger, catalogue } = context;
  const customer = await customerOf(database, ref);
  return savePlan(database, ref, await planCalls(step.answer.calls, { catalogue, ledger, step: ref, customer }));
}

function scheduled({ catalogue, limits }: ActivityContext, call: PlannedCall): ScheduledCall[] {
  if (call.kind === 'refused') return [];
  const tool = catalogue.get(call.tool);
  // Planned by a worker of another release: one of those must schedule it, this one cannot know its time-outs.
  if (!tool) throw new ToolMissingError(call.tool);
  const operationId = call.kind === 'operation' ? call.operationId : null;
  return [{ position: call.position, tool: call.tool, operationId, options: callOptionsOf(tool, limits) }];
}
