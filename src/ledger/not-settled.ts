import { isSettled, STATES } from '../operations/state';

/** Spelled out in a statement: only so does Postgres see that the index of what is not settled is enough. */
export const NOT_SETTLED = STATES.filter((state) => !isSettled(state))
  .map((state) => `'${state}'`)
  .join(', ');
