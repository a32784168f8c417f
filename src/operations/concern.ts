import { isCompleteLook } from './absence';
import { isOpen, isPossible } from './attempt';
import type { Recorded } from './event';
import type { Operation } from './fold';
import { wasSent } from './generation';
import { stateAt } from './state';
import type { Instant } from './time';

/** What reconciliation has to do with an operation, whatever the time. */
export type Concern =
  /** It is settled, or an alarm that only a person ends. */
  | 'nothing'
  /** An attempt may still be answered. */
  | 'in-flight'
  /** Registered and not sent, and reconciliation is who sends it. */
  | 'release'
  /** Registered and not sent, and perhaps nobody tries any more (rule 14). */
  | 'left-behind'
  | 'find-out'
  /** Before a person for want of an answer, or a person's "none" stands, of this generation or of one before: it may still show. */
  | 'look-rarely'
  /** Settled by one of several attempts: one complete look shows whether another took effect as well (rule 11). */
  | 'last-look';

export function concernOf(operation: Operation, events: readonly Recorded[], now: Instant): Concern {
  const { alarms, current, resolvedBy } = operation;
  if (alarms.length > 0) return 'nothing';
  const state = stateAt(operation, now);
  switch (state) {
    case 'registered':
      return current.waitsFor === null ? 'left-behind' : 'release';
    case 'submitted':
      return 'in-flight';
    case 'accepted':
    case 'unknown':
      return 'find-out';
    case 'escalated':
      return 'look-rarely';
    case 'confirmed':
      if (isOneOfSeveral(operation) && !hasLastLook(operation, events)) return 'last-look';
      return isSaidToBeNone(operation, events) ? 'look-rarely' : 'nothing';
    case 'rejected':
      return resolvedBy === 'person' || isSaidToBeNone(operation, events) ? 'look-rarely' : 'nothing';
    case 'dropped':
      return isSaidToBeNone(operation, events) ? 'look-rarely' : 'nothing';
  }
}

/**
 * Whether a person said "none" of a generation that was sent, this one or one before: it may still show, whatever became
 * of the next one, and then there are two effects, or one where all were told of none.
 */
function isSaidToBeNone({ generations }: Operation, events: readonly Recorded[]): boolean {
  const sent = generations.filter(wasSent);
  return sent.some(({ number }) =>
    events.some((event) => event.kind === 'resolved' && event.generation === number && event.verdict.as === 'rejected'),
  );
}

/** Whether attempts beside the one that took effect may have left, and nobody knows what became of one of them. */
function isOneOfSeveral({ current }: Operation): boolean {
  const possible = current.attempts.filter(isPossible);
  return possible.length > 1 && possible.some(isOpen);
}

function hasLastLook({ current }: Operation, events: readonly Recorded[]): boolean {
  return events.some((event) => event.kind === 'evidence' && isCompleteLook(current, event.evidence, event.begunAt));
}
