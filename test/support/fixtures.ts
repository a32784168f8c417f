import type { AnsweredEvent, CallRef, MarkedEvent, RegisteredEvent } from '../../src/operations/event';
import type { Outcome, Receipt } from '../../src/operations/outcome';
import type { StoredRequest } from '../../src/operations/request';

/** 2026-01-01T00:00:00Z, and times after it in seconds. */
export const T0 = Date.UTC(2026, 0, 1);
export const at = (seconds: number): number => T0 + seconds * 1_000;

export const RECEIPT: Receipt = { requestId: 'req_1', httpStatus: 200, detail: '' };

export const REQUEST: StoredRequest = {
  account: '',
  path: 'POST /v1/refunds',
  version: '2026-10-28.endive',
  body: 'payment_intent=pi_1&amount=38000',
};

export function callRef(callId = 'chat-1/1/1/0', activityAttempt = 1): CallRef {
  return { callId, activityAttempt, sessionId: 'chat-1', customer: 'customer-77' };
}

export function registered(change: Partial<RegisteredEvent> = {}): RegisteredEvent {
  return {
    kind: 'registered',
    generation: 1,
    tool: 'refund_line_item',
    provider: 'stripe.refunds',
    key: 'refund-1043-li_2',
    intent: '{"quantity":1}',
    request: REQUEST,
    call: callRef(),
    ...change,
  };
}

export function marked(change: Partial<MarkedEvent> = {}): MarkedEvent {
  return {
    kind: 'marked',
    generation: 1,
    attempt: 1,
    call: callRef(),
    decidedAt: at(0),
    sendBy: at(10),
    arriveBy: at(910),
    answerBy: at(40),
    ...change,
  };
}

export function answered(outcome: Outcome, change: Partial<AnsweredEvent> = {}): AnsweredEvent {
  return { kind: 'answered', generation: 1, attempt: 1, call: callRef(), outcome, ...change };
}
