// Needs nothing.
import type { OperationEvent, PersonVerdict, Recorded, WaitingEvent } from '../../src/operations/event';
import { eventText } from '../../src/operations/event-text';
import type { EffectStatus, FoundEffect } from '../../src/operations/evidence';
import type { Outcome } from '../../src/operations/outcome';
import { answered, at, callRef, marked, RECEIPT, registered } from '../support/fixtures';

const receipt = RECEIPT;
const CONFIRMED: Outcome = { kind: 'confirmed', externalId: 're_1', receipt };
const UNANSWERED: Outcome = { kind: 'unknown', why: 'time-out', resend: 'allowed', receipt };
const OUTCOMES: readonly (readonly [Outcome, string])[] = [
  [CONFIRMED, 'confirmed, re_1'],
  [{ kind: 'accepted', externalId: 're_1', replayed: false, receipt }, 'accepted, re_1'],
  [
    { kind: 'accepted', externalId: 're_1', replayed: true, receipt },
    'accepted, re_1 (a stored answer, to be read again)',
  ],
  [
    { kind: 'rejected', covers: 'all', code: 'c', message: 'too much', externalId: null, receipt },
    'rejected, too much',
  ],
  [{ kind: 'not-submitted', why: 'connection refused', receipt }, 'not submitted, connection refused'],
  [UNANSWERED, 'unknown, time-out'],
];

const QUERY = { kind: 'evidence', source: 'query', generation: 1, begunAt: at(1), final: false } as const;

const EVENTS: readonly (readonly [OperationEvent, string])[] = [
  [registered({ key: 'refund-1' }), 'recorded with its request, key refund-1'],
  [marked({ attempt: 2, decidedAt: at(0), sendBy: at(10) }), 'attempt 2 marked: it leaves within 10 s, or never'],
  ...OUTCOMES.map(([outcome, text]) => [answered(outcome), `attempt 1: ${text}`] as const),
  [
    {
      ...QUERY,
      evidence: { kind: 'found', effects: [effect('re_1', 'pending'), effect('re_2', 'failed')], complete: true },
    },
    'query: found re_1 (pending), re_2 (failed)',
  ],
  [{ ...QUERY, evidence: { kind: 'absent' } }, 'query: complete, and nothing there'],
  [{ ...QUERY, evidence: { kind: 'inconclusive', why: '503' } }, 'query: inconclusive, 503'],
  [
    { kind: 'closed', generation: 1, tool: 't', provider: 'p', call: callRef('s/1/1/0'), why: 'cancelled' },
    'call s/1/1/0 closed: cancelled',
  ],
  [waiting({ waitsFor: 'resume' }), 'waits, unsent, for what is paused to be resumed'],
  [waiting({ waitsFor: 'redo' }), 'waits, unsent, for reconciliation'],
  [
    waiting({ waitsFor: 'redo', redo: { of: 'refund-1', by: 'ann', note: 'It broke again.' } }),
    'ann wants refund-1 done once more: It broke again.',
  ],
  [
    { kind: 'told', generation: 1, call: { ...callRef('s/1/1/0'), sessionId: 's' } },
    'the conversation s was told that it will hear of it',
  ],
  [{ kind: 'dropped', generation: 1, why: 'denied' }, 'dropped: denied'],
  [{ kind: 'escalated', generation: 1, reason: 'no answer' }, 'put before a person: no answer'],
  [said({ as: 'rejected', allowResend: true }), 'ann says rejected, and that it may be sent again: I looked.'],
  [said({ as: 'rejected', allowResend: false }), 'ann says rejected: I looked.'],
  [said({ as: 'confirmed', externalId: 're_1' }), 'ann says confirmed, re_1: I looked.'],
];

function waiting(parts: Pick<WaitingEvent, 'waitsFor' | 'redo'>): WaitingEvent {
  return { kind: 'waiting', generation: 1, call: callRef(), ...parts };
}

test.each(EVENTS.map(([event, text]) => [event.kind, text, event] as const))('%s → %s', (_kind, text, event) => {
  expect(eventText(recordedAs(event, 1), [])).toBe(text);
});

test('a second answer to one attempt is a late one, and generations after the first are named', () => {
  const events = [
    marked({ generation: 2 }),
    answered(UNANSWERED, { generation: 2 }),
    answered(CONFIRMED, { generation: 2 }),
  ];
  const history = events.map((event, index) => recordedAs(event, index + 1));
  expect(history.map((event) => eventText(event, history))).toEqual([
    'attempt 1 of generation 2 marked: it leaves within 10 s, or never',
    'attempt 1 of generation 2: unknown, time-out',
    'late answer of attempt 1 of generation 2: confirmed, re_1',
  ]);
});

test('the first answer to another attempt, or of another generation, is no late one', () => {
  const events = [
    answered(UNANSWERED),
    answered(UNANSWERED, { attempt: 2 }),
    answered(CONFIRMED, { generation: 2 }),
    answered(CONFIRMED, { attempt: 2 }),
  ];
  const history = events.map((event, index) => recordedAs(event, index + 1));
  expect(history.map((event) => eventText(event, history))).toEqual([
    'attempt 1: unknown, time-out',
    'attempt 2: unknown, time-out',
    'attempt 1 of generation 2: confirmed, re_1',
    'late answer of attempt 2: confirmed, re_1',
  ]);
});

test.each([
  ['There is no such order. Nothing was sent.', 'There is no such order.'],
  ['It costs 4.50 more. Ask first. Then pay.', 'It costs 4.50 more.'],
  ['The request was cancelled.', 'The request was cancelled.'],
  ['Two lines\nwithout an end. And more.', 'Two lines\nwithout an end. And more.'],
])('a call closed with %j is told by its first sentence', (why, told) => {
  const call = callRef('s/1/1/0');
  const event: OperationEvent = { kind: 'closed', generation: 1, tool: 't', provider: 'p', call, why };
  expect(eventText(recordedAs(event, 1), [])).toBe(`call s/1/1/0 closed: ${told}`);
});

test.each<[string, object]>([
  ['event', { kind: 'approved' }],
  ['outcome', answered({ kind: 'deferred' } as never)],
  ['evidence', { ...QUERY, evidence: { kind: 'rumour' } }],
])('an %s that a newer release wrote stops the reader, who is told to run that release', (_what, event) => {
  expect(() => eventText(recordedAs(event as OperationEvent, 1), [])).toThrow(
    /^Bug: no rule for \{.*\}\. A newer release may have written it; run that one\.$/,
  );
});

test('an effect under a key that is not ours, or that differs from the request, is told with why', () => {
  const effects: FoundEffect[] = [
    { ...effect('re_1', 'succeeded'), key: 'refund-1' },
    { ...effect('re_2', 'succeeded'), key: 'somebody-s' },
    { ...effect('re_3', 'pending'), mismatch: 'its amount is 5, not 10' },
    { ...effect('re_4', 'failed'), key: 'somebody-s', mismatch: 'its amount is 5, not 10' },
  ];
  const found: OperationEvent = { ...QUERY, evidence: { kind: 'found', effects, complete: true } };
  const history = [registered({ key: 'refund-1' }), found].map((event, index) => recordedAs(event, index + 1));
  expect(history.map((event) => eventText(event, history))[1]).toBe(
    'query: found re_1 (succeeded), re_2 (succeeded; made under key somebody-s, which is not ours), ' +
      're_3 (pending; its amount is 5, not 10), ' +
      're_4 (failed; made under key somebody-s, which is not ours; its amount is 5, not 10)',
  );
});

function said(verdict: PersonVerdict): OperationEvent {
  return { kind: 'resolved', generation: 1, by: 'ann', note: 'I looked.', sawVersion: 3, verdict };
}

function recordedAs(event: OperationEvent, seq: number): Recorded {
  return { ...event, seq, at: at(seq) };
}

function effect(externalId: string, status: EffectStatus): FoundEffect {
  return { externalId, status, key: null, mismatch: null };
}
