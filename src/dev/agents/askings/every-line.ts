import type { Asking } from '../eager-agent';
import { missingLines } from '../wish';
import { oneLine } from './one-line';

/** Every missing line, in one step. */
export const everyLine: Asking = {
  ...oneLine,
  wishes: (order) => missingLines(order),
};
