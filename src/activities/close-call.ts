import { saveResult } from '../conversations/steps';
import { closingEvents } from '../operations/closing';
import { fold } from '../operations/fold';
import { type Reply, replyFor } from '../operations/reply';
import type { OperationTool } from '../tools/tool';
import type { CallToolResult, CloseCallInput } from './activity-inputs';
import type { ActivityContext } from './context';
import { type StoredCall, storedCall } from './planned-call';
import { failedRead } from './read-reply';

/** Above every attempt Temporal counts: it fences them all, and reads their open sends as unknown at once. */
const AFTER_ALL_ATTEMPTS = Number.MAX_SAFE_INTEGER;

/** Ends a call whose activity failed for good: it marks nothing any more, and is told what is true (rule 13). */
export async function closeCall(context: ActivityContext, input: CloseCallInput): Promise<CallToolResult> {
  const call = await storedCall(context.database, input);
  const tool = context.catalogue.get(call.planned.tool);
  const reply =
    tool?.kind === 'operation'
      ? await close(context, tool, call, input.why)
      : failedRead(`${call.planned.tool} could not be read: ${input.why}`);
  const { code, operationId, externalId } = await saveResult(context.database, input, reply);
  return { code, operationId, externalId };
}

async function close(
  { ledger }: ActivityContext,
  { name, provider }: OperationTool,
  { planned, caller }: StoredCall,
  why: string,
): Promise<Reply> {
  if (planned.kind !== 'operation') throw new Error(`Bug: ${caller.callId} was planned as a read.`);
  const { tenant, sessionId, customer, callId } = caller;
  const { operationId, generation } = planned;
  const call = { callId, sessionId, customer, activityAttempt: AFTER_ALL_ATTEMPTS };
  const closing = { call, generation, tool: name, provider: provider.name, why };
  for (;;) {
    const { now, events } = await ledger.load({ tenant, operationId });
    const operation = fold(events);
    const added = closingEvents(operation, closing);
    if (operation !== null && added.length === 0) {
      return replyFor(operation, { tool: name, operationId, callId, activityAttempt: AFTER_ALL_ATTEMPTS }, now);
    }
    // Lost or won, the next round reads what is true now.
    await ledger.save({ tenant, operationId, before: events, events: added });
  }
}
