import { z } from 'zod';
import { id } from '../../operations/operation-id';
import { RefusedError } from '../../operations/refused-error';
import type { Provider } from '../../providers/provider';
import type { StripeRefundRequest } from '../../providers/stripe';
import { defineOperation } from '../../tools/define-operation';
import type { OperationTool } from '../../tools/tool';
import { ownOrder } from './find-order';
import type { Orders } from './orders';
import type { RefundRequests } from './refund-requests';

/**
 * The shop's tool for refunds that no line names: a customer may want several of one order, of one amount even. Each
 * is an operation of its own by the ID that the backend gave it when the customer confirmed.
 */
export function refundRequest(
  { orders, requests }: { readonly orders: Orders; readonly requests: RefundRequests },
  provider: Provider<StripeRefundRequest>,
): OperationTool {
  return defineOperation({
    name: 'refund_request',
    description: 'Carry out one refund request that the customer has confirmed on the page of the order.',
    input: z.object({
      orderId: z.string().describe('The order number, for example 1043.'),
      requestId: z.string().describe('The request, for example req_A.'),
    }),
    resolve: async ({ orderId, requestId }, caller) => {
      const order = await ownOrder(orders, orderId, caller);
      const request = await requests.find(caller.tenant, order.id, requestId);
      if (!request) throw new RefusedError(`Order ${order.id} has no refund request ${JSON.stringify(requestId)}.`);
      return { order, request };
    },
    operationId: ({ order, request }) => id`refund-${order.id}-${request.id}`,
    intent: ({ request }) => ({ amount: request.amount }),
    request: ({ order, request }) => ({
      paymentIntent: order.paymentIntent,
      amount: request.amount,
      currency: order.currency,
    }),
    provider,
  });
}
