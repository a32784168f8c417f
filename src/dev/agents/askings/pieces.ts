import type { Asking } from '../eager-agent';
import { oneLine } from './one-line';

/** The missing line; of one piece alone, once the customer wants that. */
export const pieces: Asking = {
  ...oneLine,
  wishes: (order, view) => {
    if (!/\bonly one\b/.test(view.said.at(-1) ?? '')) return oneLine.wishes(order, view);
    return oneLine.wishes(order, view).map((wish) => {
      const quantity = order.lines.find(({ id }) => id === wish.id)?.quantity ?? 1;
      return { ...wish, amount: wish.amount / quantity, quantity: 1 };
    });
  },
};
