import { GENERATION_SUFFIX_ROOM } from './operation-id';
import type { Duration } from './time';

/** What a downstream promises (design, section 5). The rules read it; they never read a provider's name. */
export interface Contract {
  readonly key: 'none' | KeyWindow;
  readonly absence: 'inconclusive' | 'fenced' | ProvenAbsence;
  /** Send deadline: an attempt leaves before this long after the read its decision rests on, or never (rule 3). */
  readonly sendWithin: Duration;
  /** The longest that written bytes may take to arrive. */
  readonly deliverWithin: Duration;
  /** How long the answer is waited for. What comes later is evidence. */
  readonly answerWithin: Duration;
  /** How long `pending` is normal. */
  readonly acceptedFor: Duration;
  /** When a person is called where no key window sets the end. */
  readonly escalateAfter: Duration;
}

/** The provider dedupes by our key for this long. */
export interface KeyWindow {
  readonly window: Duration;
  /** Subtracted from the window: at least sendWithin + deliverWithin, so that a last resend still arrives inside it. */
  readonly margin: Duration;
  readonly maxLength: number;
  readonly replays: 'every-answer' | 'successes' | 'latest-status';
  /**
   * Only read where `replays` is `successes`: whether every effect, also one that fails later or at once, is stored
   * with its key in one transaction. Without that promise a lost answer may be an effect whose key was never stored,
   * and no resend is safe.
   */
  readonly effectAndSuccessAreOne?: boolean;
}

/** A complete empty query means "never accepted" if it began this long after the last possible arrival. */
export interface ProvenAbsence {
  readonly neverAcceptedAfter: Duration;
  /** The provider's retention: later queries prove nothing. Counted from the first attempt. */
  readonly until: Duration;
}

/** Node's timers turn anything longer into one millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Throws where a contract contradicts itself; called when a tool is defined, so it fails at start and not at a refund. */
export function checkContract(provider: string, contract: Contract): void {
  const { key, absence, sendWithin, deliverWithin, answerWithin } = contract;
  const refuse = (problem: string) => {
    throw new RangeError(`Provider ${provider}: ${problem}`);
  };
  if (sendWithin <= 0 || answerWithin <= 0 || deliverWithin <= 0) {
    refuse('sendWithin, deliverWithin and answerWithin must be above zero.');
  }
  if (sendWithin + answerWithin > LONGEST_TIMER_MS)
    refuse('sendWithin and answerWithin together must be below 24 days.');
  if (typeof absence === 'object' && absence.until <= deliverWithin + absence.neverAcceptedAfter) {
    refuse('absence.until must be longer than deliverWithin + neverAcceptedAfter, or absence could never be proven.');
  }
  if (key === 'none') return;
  if (key.margin < sendWithin + deliverWithin) {
    refuse(
      `the key's margin (${key.margin} ms) must be at least sendWithin + deliverWithin (${sendWithin + deliverWithin} ms), ` +
        'or the last resend could arrive after the provider forgot the key.',
    );
  }
  if (key.window <= key.margin) {
    refuse(`the key's window (${key.window} ms) must be longer than its margin (${key.margin} ms).`);
  }
  if (key.maxLength <= GENERATION_SUFFIX_ROOM)
    refuse(`the key's maxLength (${key.maxLength}) leaves no room for an ID.`);
}
