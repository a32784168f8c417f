// Needs nothing.
import fc from 'fast-check';
import { announcementsOf, willHear } from '../../src/operations/announcements';
import type { CallRef, OperationEvent } from '../../src/operations/event';
import { isSettled } from '../../src/operations/state';
import { seconds } from '../../src/operations/time';
import {
  ABSENT,
  accepted,
  answered,
  CALL_A,
  CALL_B,
  closed,
  confirmed,
  dropped,
  effect,
  escalated,
  evidence,
  folded,
  found,
  INCONCLUSIVE,
  marked,
  NONE,
  NONE_SEND_AGAIN,
  notSubmitted,
  recorded,
  registered,
  rejected,
  SENT,
  said,
  UNKNOWN,
  unknown,
  WAITING,
} from './fixtures';

const [A, B] = [CALL_A.sessionId, CALL_B.sessionId];
const RECONCILIATION: CallRef = { ...CALL_A, callId: 'reconciliation/7' };
const told = (call: CallRef, generation = 1): OperationEvent => ({ kind: 'told', generation, call });
const STRANGER = evidence(found([effect('re_9', 'succeeded', { key: null, mismatch: 'its amount is 5, not 4900' })]));

/** Who is told because of each save, in order: sessions by their names, people by `people`. */
function heard(before: readonly OperationEvent[], ...saves: readonly (readonly OperationEvent[])[]): string[][] {
  let events = [...before];
  return saves.map((save) => {
    events = [...events, ...save];
    return announcementsOf(recorded(...events), save.length).map(({ kind, sessionId }) =>
      kind === 'settled' ? sessionId : 'people',
    );
  });
}

describe('a settlement', () => {
  test.each<[string, readonly OperationEvent[], readonly OperationEvent[]]>([
    ['confirmed by a look', UNKNOWN, [evidence(found([effect('re_1')]))]],
    ['confirmed by a late answer', UNKNOWN, [answered(confirmed())]],
    ['rejected', UNKNOWN, [evidence(ABSENT, { final: true })]],
    ["rejected by a person's word", [...UNKNOWN, evidence(ABSENT)], [said(NONE, 4)]],
    ['dropped', [registered(), WAITING], [dropped()]],
    ['confirmed after a person had it', [...UNKNOWN, escalated()], [evidence(found([effect('re_1')]))]],
  ])('%s is told once to each session that has a part in it', (_how, before, save) => {
    expect(heard([...before, told(CALL_B), told({ ...CALL_B, callId: 'chat-555/5/1/0' })], save)).toEqual([[A, B]]);
  });

  test('is told to nobody else, and not to a session whose call was only closed', () => {
    expect(heard([...UNKNOWN, closed(CALL_B)], [evidence(found([effect('re_1')]))])).toEqual([[A]]);
  });

  test('is told after a while to a session whose own call is about to tell it, and to the others at once', () => {
    const events = recorded(...SENT, told(CALL_B), answered(confirmed()));
    expect(announcementsOf(events, 1)).toEqual([
      { kind: 'settled', sessionId: A, after: seconds(15) },
      { kind: 'settled', sessionId: B, after: 0 },
    ]);
    const left = recorded(...SENT, answered(notSubmitted()), closed(), dropped());
    expect(announcementsOf(left, 2)).toEqual([{ kind: 'settled', sessionId: A, after: seconds(15) }]);
  });

  test('is told at once to a session whose call had its answer before: it says nothing more by itself', () => {
    const events = recorded(...UNKNOWN, evidence(found([effect('re_1')])));
    expect(announcementsOf(events, 1)).toEqual([{ kind: 'settled', sessionId: A, after: 0 }]);
  });

  test('is not told to reconciliation, which speaks with nobody', () => {
    const nobody: CallRef = { callId: 'reconciliation/7', activityAttempt: 1, sessionId: '', customer: '' };
    const sent = [...UNKNOWN, marked(1, 2, { call: nobody })];
    expect(announcementsOf(recorded(...sent, answered(confirmed(), 1, 2, nobody)), 1)).toEqual([
      { kind: 'settled', sessionId: A, after: 0 },
    ]);
  });

  test('is told once, whatever repeats or confirms it', () => {
    const seen = evidence(found([effect('re_1')]));
    expect(heard(UNKNOWN, [seen], [seen], [answered(confirmed())], [closed()])).toEqual([[A], [], [], []]);
  });

  test('of a generation is told to those who have a part in that one', () => {
    const second = [registered(2, { call: CALL_B }), marked(2, 1, { call: CALL_B })];
    expect(heard(UNKNOWN, [answered(rejected())], second, [answered(confirmed(), 2, 1, CALL_B)])).toEqual([
      [A],
      [],
      [B],
    ]);
  });

  test('is no settlement while it is unknown, pending or before a person', () => {
    expect(heard(SENT, [answered(unknown())], [evidence(INCONCLUSIVE)], [answered(accepted())])).toEqual([[], [], []]);
    expect(heard(UNKNOWN, [escalated()])).toEqual([['people']]);
  });

  test('after an alarm is told to all who were ever told anything: it is true no more', () => {
    const first = [...UNKNOWN, answered(rejected()), registered(2, { call: CALL_B }), marked(2, 1, { call: CALL_B })];
    const news = evidence(found([effect('re_2', 'succeeded', { key: null })]));
    const saves = [
      [answered(confirmed('re_1'), 2, 1, CALL_B)],
      [news],
      [said({ as: 'confirmed', externalId: 're_1' }, 8)],
    ];
    expect(heard(first, ...saves)).toEqual([[B], ['people'], [A, B]]);
  });

  test('the first save of an operation is told by the call that made it', () => {
    expect(heard([], [closed(), dropped()])).toEqual([[]]);
    expect(heard([], [registered(), marked()], [answered(confirmed())])).toEqual([[], [A]]);
  });
});

describe('people', () => {
  test('hear at once, and in no session', () => {
    expect(announcementsOf(recorded(...UNKNOWN, escalated()), 1)).toEqual([
      { kind: 'escalated', sessionId: '', after: 0 },
    ]);
  });

  test('hear once of what is put before them for want of an answer', () => {
    expect(heard(UNKNOWN, [escalated()], [evidence(INCONCLUSIVE)], [escalated()], [told(CALL_B)])).toEqual([
      ['people'],
      [],
      [],
      [],
    ]);
  });

  test('hear of each new alarm, and not of the same fact again', () => {
    const second = evidence(found([effect('re_1'), effect('re_2')], false));
    expect(heard(UNKNOWN, [STRANGER], [STRANGER], [second], [second], [closed()])).toEqual([
      ['people'],
      [],
      ['people'],
      [],
      [],
    ]);
  });

  test('hear of an alarm about what they have already for want of an answer', () => {
    expect(heard([...UNKNOWN, escalated()], [STRANGER])).toEqual([['people']]);
  });

  test('hear of a new fact after their word, which settled it', () => {
    const saves = [[STRANGER], [said(NONE_SEND_AGAIN, 4)], [STRANGER], [evidence(found([effect('re_1')]))]];
    expect(heard(UNKNOWN, ...saves)).toEqual([['people'], [A], [], ['people']]);
  });
});

describe('whoever has a part in an operation', () => {
  test.each<[string, OperationEvent]>([
    ['registered it', registered(1, { call: CALL_B })],
    ['sent it', marked(1, 2, { call: CALL_B })],
    ['waits for it', { ...WAITING, call: CALL_B } as OperationEvent],
    ['was told of it', told(CALL_B)],
  ])('%s, will hear how it ends', (_how, event) => {
    const events = [...SENT, event];
    expect(willHear(folded(...events), recorded(...events), B)).toBe(true);
  });

  test('in an earlier generation, or by nothing but a closed call, will not', () => {
    const second = [registered(2), marked(2)];
    const events = [...SENT, told(CALL_B), answered(rejected()), ...second, closed(CALL_B, 2)];
    expect(willHear(folded(...events), recorded(...events), B)).toBe(false);
  });
});

test('however a history goes, nobody is told twice by one save, and a settlement is told whenever there is a new one', () => {
  const outcome = fc.constantFrom(confirmed(), accepted(), rejected(), notSubmitted(), unknown());
  const call = fc.constantFrom(CALL_A, CALL_B, RECONCILIATION);
  const save = fc.oneof(
    fc.tuple(outcome, call).map(([what, by]) => [answered(what, 1, 1, by)]),
    fc.constantFrom([evidence(ABSENT)], [evidence(found([effect('re_1')]))], [escalated()], [dropped()], [STRANGER]),
    call.map((by) => [told(by)]),
    call.map((by) => [closed(by)]),
    fc.nat(6).map((saw) => [said(NONE, saw)]),
  );
  fc.assert(
    fc.property(fc.array(save, { minLength: 1, maxLength: 8 }), (saves) => {
      let events: OperationEvent[] = [...SENT];
      for (const added of saves) {
        const was = folded(...events);
        events = [...events, ...added];
        const is = folded(...events);
        const rows = announcementsOf(recorded(...events), added.length);
        const settled = rows.filter(({ kind }) => kind === 'settled').map(({ sessionId }) => sessionId);
        expect(new Set(settled).size).toBe(settled.length);
        expect(settled.length > 0).toBe(isSettled(is.state) && is.state !== was.state);
        expect(rows.filter(({ kind }) => kind === 'escalated').length).toBeLessThanOrEqual(
          is.state === 'escalated' ? 1 : 0,
        );
      }
    }),
    { numRuns: 500 },
  );
});
