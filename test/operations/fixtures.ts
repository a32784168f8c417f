import type { Contract } from '../../src/operations/contract';
import type {
  CallRef,
  MarkedEvent,
  OperationEvent,
  PersonVerdict,
  Recorded,
  WaitingEvent,
} from '../../src/operations/event';
import type { EffectStatus, Evidence, FoundEffect } from '../../src/operations/evidence';
import { fold, type Operation } from '../../src/operations/fold';
import type {
  AcceptedOutcome,
  ConfirmedOutcome,
  Outcome,
  Receipt,
  RejectedOutcome,
} from '../../src/operations/outcome';
import type { StoredRequest } from '../../src/operations/request';
import { days, hours, minutes, seconds } from '../../src/operations/time';

/** 2026-03-05 12:00:00 UTC: the read on which the first attempt of the fixtures rests. */
export const NOON = Date.UTC(2026, 2, 5, 12, 0, 0);
export const AT_12_00_10 = Date.UTC(2026, 2, 5, 12, 0, 10);
export const AT_12_00_40 = Date.UTC(2026, 2, 5, 12, 0, 40);
export const AT_13_00 = Date.UTC(2026, 2, 5, 13, 0, 0);
export const NEXT_NOON = Date.UTC(2026, 2, 6, 12, 0, 0);

export const OPERATION_ID = 'refund-1043-li_2';
export const KEY_1 = 'refund-1043-li_2';
export const KEY_2 = 'refund-1043-li_2~2';
export const INTENT = '{"quantity":1}';

export const CONTRACT: Contract = {
  key: { window: hours(24), margin: minutes(30), maxLength: 255, replays: 'every-answer' },
  absence: 'inconclusive',
  sendWithin: seconds(10),
  deliverWithin: minutes(5),
  answerWithin: seconds(30),
  acceptedFor: days(1),
  escalateAfter: hours(24),
};

/** A complete empty query begun an hour after the last arrival proves that nothing was accepted. */
export const PROVEN: Contract = { ...CONTRACT, absence: { neverAcceptedAfter: hours(1), until: days(30) } };

export const REQUEST: StoredRequest = {
  account: 'acct_1',
  path: 'POST /v1/refunds',
  version: '2026-10-28.endive',
  body: 'amount=4900&payment_intent=pi_1043',
};

export const RECEIPT: Receipt = { requestId: 'req_1', httpStatus: 200, detail: '' };

export const CALL_A: CallRef = {
  callId: 'chat-912/1/1/0',
  activityAttempt: 1,
  sessionId: 'chat-912',
  customer: 'customer-77',
};
export const CALL_B: CallRef = {
  callId: 'chat-555/4/1/0',
  activityAttempt: 1,
  sessionId: 'chat-555',
  customer: 'customer-77',
};

/** The events as the ledger keeps them, one a second from noon on. */
export function recorded(...events: readonly OperationEvent[]): Recorded[] {
  return events.map((event, index): Recorded => ({ ...event, seq: index + 1, at: NOON + index * 1_000 }));
}

export function folded(...events: readonly OperationEvent[]): Operation {
  const operation = fold(recorded(...events));
  if (operation === null) throw new Error('The fixture registers nothing.');
  return operation;
}

export function registered(
  generation = 1,
  parts: { body?: string; intent?: string; call?: CallRef } = {},
): OperationEvent {
  const { body = REQUEST.body, intent = INTENT, call = CALL_A } = parts;
  return {
    kind: 'registered',
    generation,
    tool: 'refund_line_item',
    provider: 'stripe.refunds',
    key: generation === 1 ? KEY_1 : `${KEY_1}~${generation}`,
    intent,
    request: { ...REQUEST, body },
    call,
  };
}

/** A mark with the fixtures' bounds, decided at noon if nothing else is said. */
export function marked(generation = 1, attempt = 1, parts: { call?: CallRef; decidedAt?: number } = {}): MarkedEvent {
  const { call = CALL_A, decidedAt = NOON } = parts;
  return {
    kind: 'marked',
    generation,
    attempt,
    call,
    decidedAt,
    sendBy: decidedAt + 10_000,
    arriveBy: decidedAt + 310_000,
    answerBy: decidedAt + 40_000,
  };
}

export function answered(outcome: Outcome, generation = 1, attempt = 1, call: CallRef = CALL_A): OperationEvent {
  return { kind: 'answered', generation, attempt, call, outcome };
}

export function confirmed(externalId = 're_1'): ConfirmedOutcome {
  return { kind: 'confirmed', externalId, receipt: RECEIPT };
}

export function accepted(externalId = 're_1', replayed = false): AcceptedOutcome {
  return { kind: 'accepted', externalId, replayed, receipt: RECEIPT };
}

/** A stored copy of an earlier answer, with the status it shows. */
export function copy(status: EffectStatus, externalId = 're_1'): AcceptedOutcome {
  return { ...accepted(externalId, true), status };
}

/** An answer to our key that is about something else. */
export function notOurs(alarm = 'The provider answered our key with re_9.'): Outcome {
  return { kind: 'unknown', why: alarm, resend: 'unsafe', alarm, receipt: RECEIPT };
}

export function rejected(covers: 'all' | 'attempt' = 'all', externalId: string | null = null): RejectedOutcome {
  return {
    kind: 'rejected',
    covers,
    code: 'charge_disputed',
    message: 'The charge is disputed.',
    externalId,
    receipt: RECEIPT,
  };
}

export function notSubmitted(why = 'connection refused'): Outcome {
  return { kind: 'not-submitted', why, receipt: RECEIPT };
}

export function unknown(resend: 'allowed' | 'pointless' | 'unsafe' = 'allowed', why = 'no answer in time'): Outcome {
  return { kind: 'unknown', why, resend, receipt: RECEIPT };
}

export const ABSENT: Evidence = { kind: 'absent' };
export const INCONCLUSIVE: Evidence = { kind: 'inconclusive', why: 'page 2 failed' };

export function effect(
  externalId: string,
  status: EffectStatus = 'succeeded',
  parts: Partial<FoundEffect> = {},
): FoundEffect {
  return { externalId, status, key: KEY_1, mismatch: null, ...parts };
}

export function found(effects: readonly FoundEffect[], complete = true): Evidence {
  return { kind: 'found', effects, complete };
}

export function evidence(
  what: Evidence,
  parts: { source?: 'query' | 'webhook' | 'fence'; generation?: number; begunAt?: number; final?: boolean } = {},
): OperationEvent {
  const { source = 'query', generation = 1, begunAt = AT_13_00, final = false } = parts;
  return { kind: 'evidence', source, generation, begunAt, evidence: what, final };
}

export function closed(call: CallRef = CALL_A, generation = 1): OperationEvent {
  const [tool, provider] = ['refund_line_item', 'stripe.refunds'];
  return { kind: 'closed', generation, tool, provider, call, why: 'its activity failed for good' };
}

export function dropped(generation = 1): OperationEvent {
  return { kind: 'dropped', generation, why: 'its activity failed for good' };
}

export function escalated(generation = 1): OperationEvent {
  return { kind: 'escalated', generation, reason: 'no answer came' };
}

export function said(verdict: PersonVerdict, sawVersion: number, generation = 1): OperationEvent {
  return { kind: 'resolved', generation, by: 'ops-3', note: 'looked at the dashboard', sawVersion, verdict };
}

export const NONE: PersonVerdict = { as: 'rejected', allowResend: false };
export const NONE_SEND_AGAIN: PersonVerdict = { as: 'rejected', allowResend: true };

/** In flight: call A has marked its first attempt. */
export const SENT = [registered(), marked()] as const;
/** No answer came in time. */
export const UNKNOWN = [...SENT, answered(unknown())] as const;
/** In flight by the call of another session. */
export const SENT_BY_B = [registered(1, { call: CALL_B }), marked(1, 1, { call: CALL_B })] as const;
/** Call A, in the next attempt of its activity. */
export const AGAIN: CallRef = { ...CALL_A, activityAttempt: 2 };
/** Registered and held back by a pause. */
export const WAITING: WaitingEvent = { kind: 'waiting', generation: 1, call: CALL_A, waitsFor: 'resume' };
