// Needs nothing.
import type { OperationEvent, Recorded, ResolvedEvent } from '../../src/operations/event';
import { fold } from '../../src/operations/fold';
import { mayOpenNext } from '../../src/operations/plan';
import { judgeRedo, redoEvents, redoOf } from '../../src/operations/redo';
import { answered, at, callRef, marked, RECEIPT, REQUEST, registered } from '../support/fixtures';

const REDO = { id: 'refund-1043-req_B', by: 'ann', note: 'Charged twice.' };
const CONFIRMED = answered({ kind: 'confirmed', externalId: 're_1', receipt: RECEIPT });
const ACCEPTED = answered({ kind: 'accepted', externalId: 're_1', replayed: false, receipt: RECEIPT });
const UNKNOWN = answered({ kind: 'unknown', why: 'no answer', resend: 'allowed', receipt: RECEIPT });
const REJECTED = answered({
  kind: 'rejected',
  ...{ code: 'charge_disputed', message: 'Disputed.', covers: 'all', externalId: null, receipt: RECEIPT },
});
const ESCALATED: OperationEvent = { kind: 'escalated', generation: 1, reason: 'Nobody knows.' };
const DROPPED: OperationEvent = { kind: 'dropped', generation: 1, why: 'Denied.' };
const WAITING: OperationEvent = { kind: 'waiting', generation: 1, call: callRef(), waitsFor: 'resume' };
const CLOSED: OperationEvent = {
  kind: 'closed',
  generation: 1,
  ...{ tool: 'refund_line_item', provider: 'stripe.refunds', call: callRef(), why: 'Refused.' },
};
const word = (change: Partial<ResolvedEvent>): ResolvedEvent => ({
  ...{ kind: 'resolved', generation: 1, by: 'bob', note: 'I looked.', sawVersion: 3 },
  verdict: { as: 'rejected', allowResend: false },
  ...change,
});

const recorded = (...events: readonly OperationEvent[]): Recorded[] =>
  events.map((event, index) => ({ ...event, seq: index + 1, at: at(index) }));
const judge = (events: readonly OperationEvent[], redo = REDO, now = at(20)) =>
  judgeRedo(fold(recorded(...events)), recorded(...events), redo, now);
const sent = (...events: readonly OperationEvent[]) => [registered(), marked(), ...events];

describe('may be done once more', () => {
  test.each([
    ['confirmed by its answer', sent(CONFIRMED)],
    ['confirmed by a person', sent(UNKNOWN, word({ verdict: { as: 'confirmed', externalId: 're_7' } }))],
  ])('what is %s: nothing of the original changes', (_what, events) => {
    expect(judge(events)).toEqual({ kind: 'allowed', original: recorded(registered())[0], end: null });
  });

  test('what a person called rejected without leave: it can never be sent again anyway', () => {
    expect(judge(sent(UNKNOWN, word({})))).toMatchObject({ kind: 'allowed', end: null });
  });

  test.each([
    ['the provider', sent(REJECTED), 3],
    ['a person, with leave', sent(UNKNOWN, word({ verdict: { as: 'rejected', allowResend: true } })), 4],
  ])(
    'what is rejected by %s: the same act ends it, so that no call opens the next generation',
    (_who, events, seen) => {
      expect(mayOpenNext(fold(recorded(...events)) as never)).toBe(true);
      const answer = judge(events);
      if (answer.kind === 'refused' || answer.end === null) throw new Error('It is not ended.');
      expect(answer).toMatchObject({ kind: 'allowed', original: { kind: 'registered', generation: 1 } });
      expect(answer.end).toEqual({
        kind: 'resolved',
        generation: 1,
        by: 'ann',
        note: 'refund-1043-req_B takes its place. Charged twice.',
        sawVersion: seen,
        verdict: { as: 'rejected', allowResend: false },
        redoneAs: 'refund-1043-req_B',
      });
      const ended = fold(recorded(...events, answer.end));
      expect(ended).toMatchObject({ state: 'rejected', resolvedBy: 'person', alarms: [] });
      expect(ended && mayOpenNext(ended)).toBe(false);
    },
  );

  test('the current generation’s request, after one that was rejected', () => {
    const second = registered({ generation: 2, key: 'refund-1043-li_2~2', intent: '{"quantity":2}' });
    const events = sent(REJECTED, second, marked({ generation: 2 }), { ...CONFIRMED, generation: 2 });
    expect(judge(events)).toMatchObject({ original: { generation: 2, intent: '{"quantity":2}' }, end: null });
  });

  test('what was replaced, under the same ID alone: where the process died between the two saves', () => {
    const events = sent(REJECTED, word({ redoneAs: REDO.id }));
    expect(judge(events)).toMatchObject({ kind: 'allowed', end: null });
    expect(judge(events, { ...REDO, id: 'refund-1043-req_C' })).toEqual({
      kind: 'refused',
      why: 'It was replaced by refund-1043-req_B already. Look at that one.',
    });
  });
});

describe('is refused', () => {
  test.each([
    ['what nobody called for', [], /^There is no such operation\./],
    ['what was never registered', [CLOSED, DROPPED], /^It was never registered/],
    [
      'what was never registered in its current generation',
      [registered(), { ...CLOSED, generation: 2 }],
      /^It was never registered/,
    ],
    ['what was dropped: a call sends it under its own ID', [registered(), DROPPED], /^It was never sent and/],
    ['what is not sent yet', [registered()], /^It has not been sent yet/],
    ['what waits', [registered(), WAITING], /^It has not been sent yet/],
    ['what is in flight', sent(), /^It is under way/],
    ['what was accepted', sent(ACCEPTED), /^It is under way/],
    ['what is unknown: it may take effect yet, beside the new one', sent(UNKNOWN), /^It may take effect yet/],
    ['what is before a person', sent(UNKNOWN, ESCALATED), /^It is before a person/],
    [
      'what is an alarm, though it was confirmed',
      sent(CONFIRMED, answered({ kind: 'unknown', why: 'odd', resend: 'unsafe', alarm: 'odd', receipt: RECEIPT })),
      /^It is before a person/,
    ],
  ] as const)('%s', (_what, events, why) => {
    expect(judge(events)).toEqual({ kind: 'refused', why: expect.stringMatching(why) });
  });

  test('what was in flight and is unknown by now, without an event', () => {
    expect(judge(sent(), REDO, at(41))).toEqual({ kind: 'refused', why: expect.stringMatching(/^It may take effect/) });
  });
});

describe('the new operation', () => {
  const request = { ...REQUEST, body: 'marked anew' };
  const events = redoEvents('refund-1043-li_2', registered(), REDO, { key: REDO.id, request });

  test('is registered with the same intent, for the same session and customer, by a call of its own', () => {
    const call = { ...callRef(`redo/${REDO.id}`), activityAttempt: 1 };
    expect(events[0]).toEqual(registered({ key: REDO.id, request, call }));
  });

  test('waits for reconciliation, and says whose wish it is', () => {
    const history = recorded(...events);
    expect(fold(history)).toMatchObject({ state: 'registered', current: { waitsFor: 'redo' } });
    expect(redoOf(history)).toEqual({ of: 'refund-1043-li_2', by: 'ann', note: 'Charged twice.' });
    expect(redoOf(recorded(registered(), WAITING))).toBeNull();
    expect(redoOf(recorded(registered()))).toBeNull();
  });
});
