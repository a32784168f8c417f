import { z } from 'zod';
import { RefusedError } from '../../operations/refused-error';
import type { Caller } from '../../tools/caller';
import { defineTool } from '../../tools/define-tool';
import type { ReadTool } from '../../tools/tool';
import type { Order } from './order';
import type { Orders } from './orders';

/** The shop's read-only tool. */
export function findOrder(orders: Orders): ReadTool {
  return defineTool({
    name: 'find_order',
    description: 'Look up one order of this customer: its lines, amounts in minor units, and what was shipped.',
    input: z.object({ orderId: z.string().describe('The order number, for example 1043.') }),
    run: async ({ orderId }, caller) => {
      const { id, currency, paymentIntent, lines } = await ownOrder(orders, orderId, caller);
      return { orderId: id, currency, paymentIntent, lines };
    },
  });
}

/**
 * The caller's order, whatever way the model wrote its number. The same words for an order that is not there and for
 * somebody else's, so that nobody hears of orders that are not theirs.
 */
export async function ownOrder(orders: Orders, orderId: string, { tenant, customer }: Caller): Promise<Order> {
  const number = orderId.normalize('NFKC').trim().replace(/^#/, '');
  const order = /^[0-9]{1,9}$/.test(number) ? await orders.find(tenant, number) : null;
  if (!order || order.customer !== customer) {
    throw new RefusedError(`This customer has no order ${JSON.stringify(orderId)}.`);
  }
  return order;
}
