import { concernOf } from './concern';
import type { Contract } from './contract';
import { endOf, JUST_AFTER } from './end';
import type { Recorded } from './event';
import type { Operation } from './fold';
import { lastArrival } from './generation';
import { inFlightUntil } from './state';
import { days, hours, type Instant, minutes, seconds } from './time';

/**
 * When reconciliation looks at an operation. It only says when to look: no clock is evidence (rule 7). `after`: so many
 * milliseconds after the save that this was decided for. Null where nothing is left to do.
 */
export type Due = { readonly at: Instant } | { readonly after: number } | null;

/** A model that asks again at once finds out by itself; who does not ask again is not kept waiting for long. */
const FIRST_PAUSE = seconds(5);
const LONGEST_PAUSE = hours(1);
/** After now: what is due already was made so by somebody who wants it looked at, whatever a look before it found. */
const AT_ONCE = seconds(1);
/** Before a person, an effect still shows now and then: a repair at the provider, a list that lagged. */
const RARE_PAUSE = hours(6);
const LONGEST_RARE_PAUSE = days(1);
/** What is settled is doubted so long, then believed: a person's word, or that one of several attempts was the only one. */
const DOUBT_FOR = days(60);
/** Above the time in which a call that lives tries again or is closed. */
const LEFT_BEHIND_AFTER = minutes(15);

/** After a save that brought something new. The ledger knows no contract, so it is early rather than late. */
export function firstDue(operation: Operation, events: readonly Recorded[]): Due {
  // A time at which nothing is over yet: what is submitted is in flight.
  const concern = concernOf(operation, events, Number.NEGATIVE_INFINITY);
  switch (concern) {
    case 'nothing':
      return null;
    case 'in-flight':
      return { at: (inFlightUntil(operation) ?? 0) + JUST_AFTER };
    case 'release':
      return { after: AT_ONCE };
    case 'left-behind':
      return { after: LEFT_BEHIND_AFTER };
    case 'find-out':
      return { after: FIRST_PAUSE };
    case 'look-rarely':
      return { after: RARE_PAUSE };
    case 'last-look':
      return { at: (lastArrival(operation.current) ?? 0) + JUST_AFTER };
  }
}

/** After a look that settled nothing, the `checks`-th in a row: ever rarer, and at each moment at which a rule turns. */
export function nextDue(
  operation: Operation,
  events: readonly Recorded[],
  contract: Contract,
  now: Instant,
  checks: number,
): Instant | null {
  const concern = concernOf(operation, events, now);
  const pause = (first: number, longest: number) => now + Math.min(first * 2 ** Math.min(checks, 40), longest);
  switch (concern) {
    case 'nothing':
      return null;
    case 'in-flight':
      return (inFlightUntil(operation) ?? now) + JUST_AFTER;
    case 'release':
    case 'left-behind':
    case 'find-out':
      return Math.min(pause(FIRST_PAUSE, LONGEST_PAUSE), ...turningPoints(operation, contract, now));
    case 'look-rarely': {
      const said = events.findLast((event) => event.kind === 'resolved');
      if (operation.state !== 'escalated' && said !== undefined && now > said.at + DOUBT_FOR) return null;
      return pause(RARE_PAUSE, LONGEST_RARE_PAUSE);
    }
    case 'last-look': {
      // A provider that cannot be asked, or never answers completely, would be looked at for ever.
      const arrived = lastArrival(operation.current) ?? 0;
      if (now > arrived + DOUBT_FOR) return null;
      return Math.max(pause(FIRST_PAUSE, LONGEST_RARE_PAUSE), arrived + JUST_AFTER);
    }
  }
}

/** Moments to come at which the same facts allow or demand something else. */
function turningPoints({ state, current }: Operation, contract: Contract, now: Instant): Instant[] {
  const { absence } = contract;
  const arrived = lastArrival(current) ?? 0;
  const end = endOf({ state, current }, contract) ?? 0;
  const proven = typeof absence === 'string' ? arrived : arrived + absence.neverAcceptedAfter;
  return [arrived, proven, end].map((moment) => moment + JUST_AFTER).filter((moment) => moment > now);
}
