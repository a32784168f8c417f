import type { Operation } from './fold';
import type { Instant } from './time';

/** The states of an operation (design, section 2). The SQL constraint and this list are compared by a test. */
export const STATES = [
  'registered',
  'submitted',
  'accepted',
  'unknown',
  'confirmed',
  'rejected',
  'dropped',
  'escalated',
] as const;

/** Where an operation stands. Only `confirmed`, `rejected` and `dropped` are settled. */
export type State = (typeof STATES)[number];

/** States in which nothing is left to find out. An alarm is not settled: it waits for a person. */
export function isSettled(state: State): boolean {
  return state === 'confirmed' || state === 'rejected' || state === 'dropped';
}

/**
 * Until when an attempt of a submitted operation may still be answered; null in every other state. Past it, readers
 * that are no call take the operation for unknown, as `stateAt` does.
 */
export function inFlightUntil({ state, current }: Operation): Instant | null {
  if (state !== 'submitted') return null;
  const open = current.attempts.filter((attempt) => attempt.outcome === null);
  return Math.max(...open.map((attempt) => attempt.answerBy));
}

/**
 * The state as a call or a reader sees it now. An attempt without an answer is in flight until its bounds are over;
 * for the call that marked it in an earlier activity attempt it is unknown at once, since that worker is gone or
 * frozen. Reading it so is no evidence: it grants no send of its own.
 */
export function stateAt(
  operation: Operation,
  now: Instant,
  reader?: { callId: string; activityAttempt: number },
): State {
  if (operation.state !== 'submitted') return operation.state;
  const current = operation.current;
  const inFlight = current.attempts.some((attempt) => {
    if (attempt.outcome !== null || now > attempt.answerBy) return false;
    const predecessor = attempt.call.callId === reader?.callId && attempt.call.activityAttempt < reader.activityAttempt;
    return !predecessor;
  });
  return inFlight ? 'submitted' : 'unknown';
}
