import type { OperationEvent } from './event';

/** What the operation's events say of one call (rule 13). */
export interface CallTruth {
  /** The highest activity attempt that marked: lower ones are fenced. */
  readonly activityAttempt: number;
  /** An attempt of this call has an answer other than `not-submitted`: the call marks nothing any more. */
  readonly answered: boolean;
  readonly closed: boolean;
  /** The generations in which this call sent something. */
  readonly marked: readonly number[];
}

const NOTHING_YET: CallTruth = { activityAttempt: 0, answered: false, closed: false, marked: [] };

export function callTruthOf(calls: ReadonlyMap<string, CallTruth>, callId: string): CallTruth {
  return calls.get(callId) ?? NOTHING_YET;
}

/** Whether the call marks nothing any more, whichever of its attempts asks. */
export function isOver(truth: CallTruth): boolean {
  return truth.closed || truth.answered;
}

/** Whether a newer activity attempt of the call has marked: this one marks nothing, and nobody waits for its reply. */
export function isSuperseded(truth: CallTruth, activityAttempt: number): boolean {
  return !isOver(truth) && truth.activityAttempt > activityAttempt;
}

/** The truth after one more event of that call. */
export function withEvent(truth: CallTruth, event: OperationEvent): CallTruth {
  switch (event.kind) {
    case 'marked':
      return {
        ...truth,
        activityAttempt: Math.max(truth.activityAttempt, event.call.activityAttempt),
        marked: truth.marked.includes(event.generation) ? truth.marked : [...truth.marked, event.generation],
      };
    case 'answered':
      return { ...truth, answered: truth.answered || event.outcome.kind !== 'not-submitted' };
    case 'closed':
      return { ...truth, closed: true };
    default:
      return truth;
  }
}
