import { isPossible } from './attempt';
import type { Contract } from './contract';
import type { Operation } from './fold';
import { lastArrival } from './generation';
import { windowEnd } from './resend';
import { type Duration, type Instant, milliseconds } from './time';

/** Looks must begin after a moment, and the ledger's clock counts milliseconds. */
export const JUST_AFTER: Duration = milliseconds(1);

/**
 * The moment after which nothing automatic can settle the current generation any more, but for a look that happens to
 * find it: then a person is called (rule 7). Null where nothing may have left.
 */
export function endOf({ state, current }: Pick<Operation, 'state' | 'current'>, contract: Contract): Instant | null {
  const decided = current.attempts.filter(isPossible).map((attempt) => attempt.decidedAt);
  const arrived = lastArrival(current);
  if (arrived === null) return null;
  const first = Math.min(...decided);
  if (state === 'accepted') return first + contract.acceptedFor;
  const { key, absence } = contract;
  const end = (key === 'none' ? null : windowEnd(current, key)) ?? first + contract.escalateAfter;
  // Where absence can be proven, the look that proves it is waited for.
  return typeof absence === 'string' ? end : Math.max(end, arrived + absence.neverAcceptedAfter + JUST_AFTER);
}
