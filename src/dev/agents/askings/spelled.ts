import type { Asking } from '../eager-agent';
import { oneLine } from './one-line';

/** The same line three times in one step, with the order's number as people and models write it. */
export const spelled: Asking = {
  ...oneLine,
  calls: (tool, order, wish, asked) =>
    [`#${order.orderId}`, ` ${order.orderId} `, fullWidth(order.orderId)].map((orderId) =>
      tool.call({ ...order, orderId }, wish, asked),
    ),
};

/** "１０４３", as East Asian keyboards give it. */
function fullWidth(digits: string): string {
  const offset = '０'.charCodeAt(0) - '0'.charCodeAt(0);
  return digits.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + offset));
}
