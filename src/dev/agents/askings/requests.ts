import type { Asking } from '../eager-agent';
import { oneLine } from './one-line';

/** Every refund request that the customer says they have confirmed, in one step. */
export const requests: Asking = {
  ...oneLine,
  offer: ({ orderId }) => `I am sorry. Please confirm each refund on the page of order ${orderId}.`,
  wishes: (_order, { said }) =>
    [...(said.at(-1) ?? '').matchAll(/(req_\w+) \(([\d,.]+) /g)].map(([, id = '', amount = '']) => ({
      of: 'request',
      id,
      title: `request ${id}`,
      amount: Math.round(Number(amount.replaceAll(',', '')) * 100),
    })),
};
