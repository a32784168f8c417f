import { callTruthOf, isOver } from './call-truth';
import type { CallRef, OperationEvent } from './event';
import type { Operation } from './fold';

export interface Closing {
  readonly call: CallRef;
  readonly generation: number;
  readonly tool: string;
  readonly provider: string;
  readonly why: string;
}

/**
 * Events that end a call for good (rule 13): it marks nothing any more, and what it recorded and nobody sent is dropped.
 * Empty where the call has its truth already.
 */
export function closingEvents(operation: Operation | null, closing: Closing): OperationEvent[] {
  const fence = fencingEvents(operation, closing);
  if (operation === null || fence.length === 0 || !isLeftBehind(operation, closing)) return fence;
  return [...fence, { kind: 'dropped', generation: closing.generation, why: closing.why }];
}

/**
 * Whether the call leaves a registration behind that nobody else answers for: its own, or that of a call which is over
 * and so will neither send nor drop it (rule 14). Another call's, and another generation's, are theirs.
 */
function isLeftBehind({ state, current, calls }: Operation, { call, generation }: Closing): boolean {
  if (state !== 'registered' || current.registration === null || current.number !== generation) return false;
  const { callId } = current.registration;
  return callId === call.callId || isOver(callTruthOf(calls, callId));
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
