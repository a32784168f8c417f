import type { CallRef } from './event';
import type { Outcome, UnknownOutcome } from './outcome';
import type { Instant } from './time';

/** The nth send of a generation, as far as its events tell. */
export interface Attempt {
  readonly number: number;
  readonly call: CallRef;
  /** Place of its mark in the history. */
  readonly markedSeq: number;
  readonly decidedAt: Instant;
  readonly sendBy: Instant;
  readonly arriveBy: Instant;
  readonly answerBy: Instant;
  /** Null while no answer was recorded. */
  readonly outcome: Outcome | null;
}

/** Whether the attempt may have left: everything that is not proven `not-submitted`. */
export function isPossible(attempt: Attempt): boolean {
  return attempt.outcome === null || attempt.outcome.kind !== 'not-submitted';
}

/** Whether nobody knows if the attempt took effect. */
export function isOpen(attempt: Attempt): boolean {
  return attempt.outcome === null || attempt.outcome.kind === 'unknown';
}

/**
 * An attempt has one try, so a second answer can only be the one that came after the engine had stopped waiting. It
 * replaces `unknown`; a known outcome stays, and `unknown` adds nothing to it. Of two unknown ones the stricter about
 * resending stays. Any order gives the same.
 */
export function laterOutcome(first: Outcome | null, second: Outcome): Outcome {
  if (first === null) return second;
  if (first.kind !== 'unknown') return first;
  if (second.kind !== 'unknown') return second;
  return STRICTNESS[second.resend] > STRICTNESS[first.resend] ? second : first;
}

const STRICTNESS: Record<UnknownOutcome['resend'], number> = { allowed: 0, pointless: 1, unsafe: 2 };
