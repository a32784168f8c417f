import { formatAmount } from '../../shop/order';
import type { Asking } from '../eager-agent';
import { missingLines } from '../wish';

/** The missing line, again for as long as the agent does not hear that it is done. */
export const oneLine: Asking = {
  offer: (order) => {
    const missing = missingLines(order).map(
      ({ title, amount }) => `the ${title} (${formatAmount(amount, order.currency)})`,
    );
    return `I am sorry: ${missing.join(' and ')} of order ${order.orderId} never shipped. Shall I refund that?`;
  },
  wishes: (order) => missingLines(order).slice(0, 1),
  calls: (tool, order, wish, asked) => [tool.call(order, wish, asked)],
};
