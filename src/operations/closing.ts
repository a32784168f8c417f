import { willHear } from './announcements';
import { callTruthOf, isOver } from './call-truth';
import type { CallRef, OperationEvent, Recorded } from './event';
import type { Operation } from './fold';
import { isUnfinished, replyFor } from './reply';

export interface Closing {
  readonly call: CallRef;
  readonly generation: number;
  readonly tool: string;
  readonly provider: string;
  readonly why: string;
}

/**
 * Events that end a call for good (rule 13): it marks nothing any more, what it leaves behind unsent is dropped, and a
 * session that is now told something unfinished is noted, for it will hear how that ends. Empty where the call has its
 * truth already. `events`: the operation's.
 */
export function closingEvents(
  operation: Operation | null,
  closing: Closing,
  events: readonly Recorded[],
): OperationEvent[] {
  const fence = fencingEvents(operation, closing);
  if (operation === null) return fence;
  if (fence.length > 0 && isLeftBehind(operation, closing)) {
    return [...fence, { kind: 'dropped', generation: closing.generation, why: closing.why }];
  }
  if (!isToldUnfinished(operation, closing) || willHear(operation, events, closing.call.sessionId)) return fence;
  return [{ kind: 'told', generation: operation.current.number, call: closing.call }, ...fence];
}

/** Whatever the time: in flight or unknown, it is not finished. */
function isToldUnfinished(operation: Operation, { call, generation, tool }: Closing): boolean {
  const subject = { tool, operationId: '', generation, callId: call.callId, activityAttempt: call.activityAttempt };
  return isUnfinished(replyFor(operation, subject, Number.NEGATIVE_INFINITY).code);
}

/**
 * Whether the call leaves behind what nobody else answers for (rule 14): what it recorded itself, what it was the last to
 * try, or what was tried last by a call that is over. A call that met another one's attempt and was told so has left
 * without a word in the history, so whoever recorded it may be gone: a call that still tries registers it afresh. What
 * another call alone recorded and tries, and what is of another generation, is theirs.
 */
function isLeftBehind({ state, current, calls }: Operation, { call, generation }: Closing): boolean {
  // What waits is sent by reconciliation, whatever becomes of the calls that were told so.
  if (state !== 'registered' || current.registration === null || current.waitsFor !== null) return false;
  if (current.number !== generation) return false;
  const { registration, attempts } = current;
  const tried = attempts.findLast(({ markedSeq }) => markedSeq > registration.seq);
  const last = tried?.call.callId ?? registration.callId;
  return [registration.callId, last].includes(call.callId) || isOver(callTruthOf(calls, last));
}

/**
 * Events that fence a call before it is told that it was refused, so that no other attempt of it sends afterwards. What
 * other calls recorded stays as it is. Empty where the call has its truth already.
 */
export function fencingEvents(operation: Operation | null, closing: Closing): OperationEvent[] {
  const generation = operation?.current.number ?? closing.generation;
  const { call, tool, provider, why } = closing;
  const closed: OperationEvent = { kind: 'closed', generation, tool, provider, call, why };
  if (operation === null) return [closed, { kind: 'dropped', generation, why }];
  return isOver(callTruthOf(operation.calls, call.callId)) ? [] : [closed];
}
