import { z } from 'zod';
import { id } from '../../operations/operation-id';
import { RefusedError } from '../../operations/refused-error';
import type { Provider } from '../../providers/provider';
import type { StripeRefundRequest } from '../../providers/stripe';
import { defineOperation } from '../../tools/define-operation';
import type { OperationTool } from '../../tools/tool';
import { ownOrder } from './find-order';
import type { Orders } from './orders';

/** The shop's tool that moves money: one refund per order line, whatever the model says and however often. */
export function refundLineItem(orders: Orders, provider: Provider<StripeRefundRequest>): OperationTool {
  return defineOperation({
    name: 'refund_line_item',
    description: 'Refund one line item of an order that the customer has paid for.',
    input: z.object({
      orderId: z.string().describe('The order number, for example 1043.'),
      lineItemId: z.string().describe('The line to refund, as find_order tells it.'),
      quantity: z.int().positive().optional().describe('How many pieces of the line; all of them if left out.'),
      reason: z.string().optional().describe('Why, in a few words.'),
    }),
    resolve: async ({ orderId, lineItemId, quantity }, caller) => {
      const order = await ownOrder(orders, orderId, caller);
      const line = order.lines.find((candidate) => candidate.id === lineItemId);
      if (!line) throw new RefusedError(`Order ${order.id} has no line ${JSON.stringify(lineItemId)}.`);
      const pieces = quantity ?? line.quantity;
      if (pieces > line.quantity) throw new RefusedError(`Line ${line.id} has ${line.quantity} pieces, not ${pieces}.`);
      return { order, line, quantity: pieces };
    },
    operationId: ({ order, line }) => id`refund-${order.id}-${line.id}`,
    intent: ({ quantity }) => ({ quantity }),
    request: ({ order, line, quantity }) => ({
      paymentIntent: order.paymentIntent,
      amount: Math.round((line.amount * quantity) / line.quantity),
      currency: order.currency,
    }),
    provider,
  });
}
