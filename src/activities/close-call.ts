import type { OperationCall } from '../conversations/plan';
import { saveResult } from '../conversations/steps';
import { closingEvents } from '../operations/closing';
import { fold } from '../operations/fold';
import { type Reply, replyFor } from '../operations/reply';
import type { Caller } from '../tools/caller';
import type { CallToolResult, CloseCallInput } from './activity-inputs';
import type { ActivityContext } from './context';
import { storedCall } from './planned-call';
import { failedRead } from './read-reply';

/** Above every attempt Temporal counts: it fences them all, and reads their open sends as unknown at once. */
const AFTER_ALL_ATTEMPTS = Number.MAX_SAFE_INTEGER;

/** Ends a call whose activity failed for good: it marks nothing any more, and is told what is true (rule 13). */
export async function closeCall(context: ActivityContext, input: CloseCallInput): Promise<CallToolResult> {
  const call = await storedCall(context.database, input);
  // By the plan, not by the tools of this worker: one that lacks the tool must not tell that nothing was sent.
  const reply =
    call.planned.kind === 'operation'
      ? await close(context, call.planned, call.caller, input.why)
      : failedRead(`${call.planned.tool} could not be read: ${input.why}`);
  const { code, operationId, externalId } = await saveResult(context.database, input, reply);
  return { code, operationId, externalId };
}

async function close(
  { ledger }: ActivityContext,
  { tool, provider, operationId, generation }: OperationCall,
  { tenant, sessionId, customer, callId }: Caller,
  why: string,
): Promise<Reply> {
  const call = { callId, sessionId, customer, activityAttempt: AFTER_ALL_ATTEMPTS };
  const closing = { call, generation, tool, provider, why };
  for (;;) {
    const { now, events } = await ledger.load({ tenant, operationId });
    const operation = fold(events);
    const added = closingEvents(operation, closing, events);
    if (operation !== null && added.length === 0) {
      const subject = { tool, operationId, generation, callId, activityAttempt: AFTER_ALL_ATTEMPTS };
      return replyFor(operation, subject, now);
    }
    // Lost or won, the next round reads what is true now.
    await ledger.save({ tenant, operationId, before: events, events: added });
  }
}
