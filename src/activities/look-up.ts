import { Context } from '@temporalio/activity';
import { fold } from '../operations/fold';
import { replyFor } from '../operations/reply';
import type { LookUp } from '../tools/operation-status';
import type { Tool } from '../tools/tool';
import { type LookParts, look, toolOf } from './look';

export interface LookUpParts extends LookParts {
  readonly tools: readonly Tool[];
}

/** Reads the operation for the model, and asks the provider where its outcome is open. Sends nothing. */
export function lookUpWith({ tools, ...parts }: LookUpParts): LookUp {
  return async (operationId, { tenant, customer, sessionId, callId }) => {
    const { now, events } = await parts.ledger.load({ tenant, operationId });
    const operation = fold(events);
    if (operation === null || !operation.customers.includes(customer)) return null;
    const activityAttempt = Context.current().info.attempt;
    const tool = toolOf(tools, operation);
    if (tool === null) {
      return replyFor(operation, { tool: operation.tool, operationId, callId, activityAttempt }, now);
    }
    const call = { callId, activityAttempt, sessionId, customer };
    const generation = operation.current.number;
    return look({ tenant, operationId, purpose: 'look', tool, generation, call }, parts);
  };
}
