import type { Asking } from '../eager-agent';
import { oneLine } from './one-line';

/** The same call twice in one step, the first time it asks. */
export const twiceAtOnce: Asking = {
  ...oneLine,
  calls: (tool, order, wish, asked) => {
    const call = tool.call(order, wish, asked);
    return asked === 0 ? [call, call] : [call];
  },
};
