import { callTruthOf } from './call-truth';
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
 * Events that end a call for good (rule 13): it marks nothing any more, and what was recorded and never sent is
 * dropped. Empty where the call has its truth already.
 */
export function closingEvents(operation: Operation | null, closing: Closing): OperationEvent[] {
  const generation = operation?.current.number ?? closing.generation;
  const { call, tool, provider, why } = closing;
  const closed: OperationEvent = { kind: 'closed', generation, tool, provider, call, why };
  const dropped: OperationEvent = { kind: 'dropped', generation, why };
  if (operation === null) return [closed, dropped];
  const truth = callTruthOf(operation.calls, call.callId);
  if (truth.closed || truth.answered) return [];
  return operation.state === 'registered' ? [closed, dropped] : [closed];
}
