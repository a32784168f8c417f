import type { ModelCall, PlannedCall } from '../conversations/plan';
import { callIdOf, type StepRef } from '../conversations/refs';
import type { Ledger } from '../ledger/ledger';
import { fold } from '../operations/fold';
import { plannedGeneration } from '../operations/plan';
import { RefusedError } from '../operations/refused-error';
import { type Reply, refusedRead, refusedReply } from '../operations/reply';
import type { Catalogue } from '../tools/catalogue';
import { parseInput } from '../tools/parse-input';

export interface Planning {
  readonly catalogue: Catalogue;
  readonly ledger: Ledger;
  readonly step: StepRef;
  readonly customer: string;
}

/** Calls of one answer that are carried out; a model that asks for more has lost its way. */
const CALLS_MAX = 32;

/** Decides, once, what each call of an answer is: refused, a read, or an operation and its generation (rule 12). */
export async function planCalls(calls: readonly ModelCall[], planning: Planning): Promise<PlannedCall[]> {
  return Promise.all(calls.map((call) => planCall(call, planning)));
}

async function planCall(call: ModelCall, { catalogue, ledger, step, customer }: Planning): Promise<PlannedCall> {
  const { position, tool: name } = call;
  const refusedWith = (reply: Reply): PlannedCall => ({ kind: 'refused', position, tool: name, reply });
  const refused = (message: string) => refusedWith(refusedReply(message));
  if (position >= CALLS_MAX) return refused(`One step may make ${CALLS_MAX} calls, and this is call ${position + 1}.`);
  const tool = catalogue.get(name);
  if (!tool)
    return refused(`There is no tool ${JSON.stringify(name)}. The tools are ${[...catalogue.keys()].join(', ')}.`);
  const refusedAs = tool.kind === 'read' ? refusedRead : refusedReply;
  if (call.malformed !== null) {
    return refusedWith(refusedAs(`The arguments of ${name} could not be read: ${call.malformed}`));
  }
  const parsed = await parseInput(tool, call.input);
  if (parsed.kind === 'invalid') return refusedWith(refusedAs(parsed.message));
  if (tool.kind === 'read') return { kind: 'read', position, tool: name };
  const { tenant, sessionId } = step;
  const caller = { tenant, customer, sessionId, callId: callIdOf({ ...step, position }) };
  try {
    const { operationId, intent } = await tool.plan(parsed.input, caller);
    const { events } = await ledger.load({ tenant, operationId });
    const generation = plannedGeneration(fold(events));
    return { kind: 'operation', position, tool: name, operationId, provider: tool.provider.name, generation, intent };
  } catch (error) {
    if (error instanceof RefusedError) return refused(error.message);
    throw error;
  }
}
