// Needs nothing.
import fc from 'fast-check';
import { concernOf } from '../../src/operations/concern';
import { firstDue, nextDue } from '../../src/operations/due';
import type { OperationEvent } from '../../src/operations/event';
import { fold } from '../../src/operations/fold';
import { days, hours, minutes, seconds } from '../../src/operations/time';
import {
  ABSENT,
  accepted,
  answered,
  CALL_A,
  CALL_B,
  CONTRACT,
  closed,
  confirmed,
  dropped,
  effect,
  escalated,
  evidence,
  found,
  marked,
  NONE,
  NONE_SEND_AGAIN,
  NOON,
  notSubmitted,
  PROVEN,
  recorded,
  registered,
  rejected,
  SENT,
  said,
  UNKNOWN,
  unknown,
  WAITING,
} from './fixtures';

const TWO_OPEN = [...UNKNOWN, marked(1, 2), answered(confirmed(), 1, 2)] as const;
/** The first attempt may still be answered until 12:00:40, and arrive until 12:05:10. */
const ANSWER_BY = NOON + seconds(40);
const ARRIVE_BY = NOON + seconds(310);
const WINDOW_END = NOON + hours(23.5);

function first(...events: readonly OperationEvent[]) {
  const history = recorded(...events);
  const operation = fold(history);
  if (operation === null) throw new Error('The fixture registers nothing.');
  return firstDue(operation, history);
}

function next(events: readonly OperationEvent[], now: number, checks = 0, contract = CONTRACT) {
  const history = recorded(...events);
  const operation = fold(history);
  if (operation === null) throw new Error('The fixture registers nothing.');
  return nextDue(operation, history, contract, now, checks);
}

describe('after a save', () => {
  test.each<[string, readonly OperationEvent[], ReturnType<typeof firstDue>]>([
    ['in flight is due when its answer is overdue', SENT, { at: ANSWER_BY + 1 }],
    ['unknown is due after seconds', UNKNOWN, { after: seconds(5) }],
    ['accepted is due after seconds', [...SENT, answered(accepted())], { after: seconds(5) }],
    ['waiting is due at once', [registered(), WAITING], { after: 1_000 }],
    ['not sent is due when no call that lives is silent for so long', [registered()], { after: minutes(15) }],
    ['escalated for want of an answer is due rarely', [...UNKNOWN, escalated()], { after: hours(6) }],
    ["rejected by a person's word is due rarely", [...UNKNOWN, evidence(ABSENT), said(NONE, 4)], { after: hours(6) }],
    ['confirmed by one of several attempts is due when nothing can arrive', TWO_OPEN, { at: ARRIVE_BY + 1 }],
    ['confirmed is not due', [...SENT, answered(confirmed())], null],
    ['rejected is not due', [...SENT, answered(rejected())], null],
    ['dropped is not due', [registered(), closed(), dropped()], null],
    ['an alarm is not due', [...SENT, answered(confirmed()), evidence(found([effect('re_2')]))], null],
    ['looked at completely since is not due', [...TWO_OPEN, evidence(found([effect('re_1')]))], null],
  ])('what is %s', (_what, events, due) => {
    expect(first(...events)).toEqual(due);
  });

  test('a look that began before everything arrived is not the last one', () => {
    const early = evidence(found([effect('re_1')]), { begunAt: ARRIVE_BY });
    expect(first(...TWO_OPEN, early)).toEqual({ at: ARRIVE_BY + 1 });
  });

  test('one attempt of several that did not leave, or was refused, leaves no doubt', () => {
    const turned = [...SENT, answered(notSubmitted()), marked(1, 2), answered(confirmed(), 1, 2)];
    const refused = [...SENT, answered(rejected('attempt')), marked(1, 2), answered(confirmed(), 1, 2)];
    expect(first(...turned)).toBeNull();
    // Confirmed by a look that was not complete: there is no second attempt that it could have missed.
    const shown = evidence(found([effect('re_1')], false));
    expect(first(...UNKNOWN, shown)).toBeNull();
    expect(first(...SENT, answered(notSubmitted()), marked(1, 2), answered(unknown(), 1, 2), shown)).toBeNull();
    expect(first(...refused)).toBeNull();
  });
});

describe('after a look that settled nothing', () => {
  test('looks grow rarer, from seconds to an hour', () => {
    const now = NOON + hours(2);
    const pauses = [0, 1, 2, 9, 10, 60].map((checks) => (next(UNKNOWN, now, checks) ?? 0) - now);
    expect(pauses).toEqual([5, 10, 20, 2_560, 3_600, 3_600].map(seconds));
  });

  test.each<[string, readonly OperationEvent[], number, typeof CONTRACT]>([
    ['nothing can arrive any more', UNKNOWN, ARRIVE_BY, CONTRACT],
    ['absence is proof', UNKNOWN, ARRIVE_BY + hours(1), PROVEN],
    ['the window of the key ends', UNKNOWN, WINDOW_END, CONTRACT],
    ['pending is normal no longer', [...SENT, answered(accepted())], NOON + hours(24), CONTRACT],
    ['a person is called, where there is no key', UNKNOWN, NOON + hours(24), { ...CONTRACT, key: 'none' }],
  ])('it is due just after %s, however rare looks have become', (_moment, events, moment, contract) => {
    expect(next(events, moment - 1, 20, contract)).toBe(moment + 1);
    expect(next(events, moment, 20, contract)).toBe(moment + 1);
    expect(next(events, moment + 1, 20, contract)).toBeGreaterThan(moment + 1);
  });

  test('before a person, looks are hours and at most a day apart', () => {
    const events = [...UNKNOWN, escalated()];
    const now = NOON + days(3);
    expect([0, 1, 2, 30].map((checks) => (next(events, now, checks) ?? 0) - now)).toEqual([6, 12, 24, 24].map(hours));
  });

  test("a person's word is doubted for sixty days", () => {
    const events = [...UNKNOWN, evidence(ABSENT), said(NONE, 4)];
    const saidAt = NOON + seconds(4);
    expect(next(events, saidAt + days(60), 9)).toBe(saidAt + days(61));
    expect(next(events, saidAt + days(60) + 1, 9)).toBeNull();
  });

  test("a person's word is doubted from when it was said, whatever was seen since", () => {
    const events = [...UNKNOWN, evidence(ABSENT), said(NONE, 4), evidence(ABSENT), evidence(ABSENT)];
    expect(next(events, NOON + seconds(4) + days(60) + 1, 9)).toBeNull();
  });

  test("a person's word about an earlier generation ends no look at what is before them now", () => {
    const word = [...UNKNOWN, evidence(ABSENT), said(NONE_SEND_AGAIN, 4)];
    const second = [...word, registered(2), marked(2), answered(unknown(), 2), escalated(2)];
    const now = NOON + days(100);
    expect(next(second, now, 9)).toBe(now + days(1));
  });

  test('what one of several attempts settled is not asked about for ever where nobody can be asked', () => {
    expect(next(TWO_OPEN, NOON, 0)).toBe(ARRIVE_BY + 1);
    expect(next(TWO_OPEN, ARRIVE_BY + days(60), 9)).toBeGreaterThan(ARRIVE_BY + days(60));
    expect(next(TWO_OPEN, ARRIVE_BY + days(60) + 1, 9)).toBeNull();
  });

  test('what is in flight, waits or was left behind stays due, and what is settled does not', () => {
    expect(next(SENT, NOON)).toBe(ANSWER_BY + 1);
    expect(next([registered(), WAITING], NOON, 3)).toBe(NOON + seconds(40));
    expect(next([registered()], NOON, 3)).toBe(NOON + seconds(40));
    expect(next([...SENT, answered(confirmed())], NOON)).toBeNull();
  });
});

describe('nothing is forgotten', () => {
  const outcome = fc.constantFrom(
    ...[confirmed(), confirmed('re_2'), accepted(), rejected(), rejected('attempt'), notSubmitted()],
    ...[unknown(), unknown('pointless'), unknown('unsafe')],
  );
  const call = fc.constantFrom(CALL_A, CALL_B);
  const later = fc.oneof(
    fc.tuple(fc.integer({ min: 1, max: 3 }), outcome).map(([attempt, what]) => answered(what, 1, attempt)),
    fc.tuple(fc.integer({ min: 1, max: 3 }), call).map(([attempt, by]) => marked(1, attempt, { call: by })),
    fc.constantFrom(evidence(ABSENT), evidence(ABSENT, { final: true }), evidence(found([effect('re_1', 'pending')]))),
    fc.constantFrom(evidence(found([effect('re_1')])), evidence(found([effect('re_1', 'failed')]))),
    call.map((by): OperationEvent => ({ ...WAITING, call: by }) as OperationEvent),
    call.map((by): OperationEvent => ({ kind: 'told', generation: 1, call: by })),
    call.map((by) => closed(by)),
    fc.constantFrom(dropped(), escalated(), registered(), said(NONE, 2)),
  );
  const histories = fc.array(later, { maxLength: 8 }).map((events) => [registered(), ...events]);

  /** Settled for good, or an alarm; said without the rules' own words. */
  function isOver(events: readonly OperationEvent[]): boolean {
    const operation = fold(recorded(...events));
    if (operation === null) throw new Error('Nothing is registered.');
    const { state, alarms, resolvedBy, current } = operation;
    if (alarms.length > 0 || state === 'dropped') return true;
    if (state === 'rejected') return resolvedBy !== 'person';
    if (state !== 'confirmed') return false;
    const possible = current.attempts.filter((attempt) => attempt.outcome?.kind !== 'not-submitted');
    const isOpen = possible.some((attempt) => attempt.outcome === null || attempt.outcome.kind === 'unknown');
    const looked = events.some(
      (event) =>
        event.kind === 'evidence' &&
        (event.evidence.kind === 'absent' || (event.evidence.kind === 'found' && event.evidence.complete)),
    );
    return possible.length < 2 || !isOpen || looked;
  }

  test('whatever happened, it is due some time, unless it is settled or an alarm', () => {
    fc.assert(
      fc.property(histories, (events) => {
        expect(first(...events) === null).toBe(isOver(events));
      }),
      { numRuns: 1_000 },
    );
  });

  test('whatever happened and whenever it is looked at, what is not settled is due again, and later than now', () => {
    fc.assert(
      fc.property(histories, fc.nat(days(100)), fc.nat(100), (events, age, checks) => {
        const operation = fold(recorded(...events));
        const now = NOON + age;
        const due = next(events, now, checks);
        if (due !== null) expect(due).toBeGreaterThan(now);
        const isOpen = !['confirmed', 'rejected', 'dropped'].includes(operation?.state ?? '');
        if (isOpen && operation?.alarms.length === 0) expect(due).not.toBeNull();
        if (operation && concernOf(operation, recorded(...events), now) === 'nothing') expect(due).toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });
});
