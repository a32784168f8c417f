import { Context } from '@temporalio/activity';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import { defineTool } from '../../tools/define-tool';
import type { ReadTool } from '../../tools/tool';

/** Which key the tool sends: the SDK's own (a new one each call), or the one that Temporal's documentation advises. */
export type NaiveKey = 'automatic' | 'run-id';

/**
 * The refund tool as commonly written, for comparison: payment intent and amount from the model, and a text that asks
 * the model to try again when no answer came. It is no operation, so nothing here stops a second refund.
 */
export function createRefund(stripe: Stripe, key: NaiveKey): ReadTool {
  return defineTool({
    name: 'create_refund',
    description: 'Create a refund for a payment.',
    input: z.object({ payment_intent: z.string(), amount: z.int() }),
    run: async ({ payment_intent, amount }) => {
      try {
        const refund = await stripe.refunds.create({ payment_intent, amount }, key === 'run-id' ? runIdKey() : {});
        return `Refund ${refund.id} created.`;
      } catch {
        return 'Failed to create refund. Please try again.';
      }
    },
  });
}

/** Run ID + activity ID: the same for Temporal's retries of one activity, another for every new call of the model. */
function runIdKey(): { idempotencyKey: string } {
  const { activityId, workflowExecution } = Context.current().info;
  return { idempotencyKey: `${workflowExecution?.runId ?? ''}-${activityId}` };
}
