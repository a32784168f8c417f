import { type Duration, milliseconds, minutes, seconds } from '../operations/time';
import type { CallLimits } from './context';

/** How long calls wait and how often they try. Durations are made by `seconds`, `minutes` and the like. */
export interface CallLimitOptions {
  /** How long a call waits for another call's attempt before it says `in_progress`. */
  readonly joinWithin: Duration;
  /** Attempts of one call that may end `not-submitted` before the model is told `not_submitted`. */
  readonly notSubmittedAttempts: number;
  /** A worker that is silent for this long is taken for dead, and its call is run again. */
  readonly heartbeatWithin: Duration;
  /** How long one call may be tried in all before the turn closes it. */
  readonly callWithin: Duration;
}

/** Short enough for a customer who waits for an answer, long enough for a send that goes well. */
const DEFAULTS: CallLimitOptions = {
  joinWithin: seconds(5),
  notSubmittedAttempts: 5,
  heartbeatWithin: seconds(10),
  callWithin: minutes(10),
};

/** A call that lives is closed by its turn when its time is over; a worker that was away has this long to come back. */
const LEFT_BEHIND_MARGIN = minutes(5);

const JOIN_POLL_EVERY = milliseconds(100);

export function callLimits(options: Partial<CallLimitOptions> = {}): CallLimits {
  const { joinWithin, notSubmittedAttempts, heartbeatWithin, callWithin } = { ...DEFAULTS, ...options };
  if (!Number.isInteger(notSubmittedAttempts) || notSubmittedAttempts < 1) {
    throw new RangeError(
      `notSubmittedAttempts must be a whole number above zero, not ${String(notSubmittedAttempts)}.`,
    );
  }
  return {
    joinWithin,
    joinPollEvery: JOIN_POLL_EVERY,
    notSubmittedAttempts,
    leftBehindAfter: milliseconds(callWithin + LEFT_BEHIND_MARGIN),
    heartbeatWithinMs: heartbeatWithin,
    callWithinMs: callWithin,
  };
}
