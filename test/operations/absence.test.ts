// Needs nothing.
import { isAbsent, isCompleteLook, isFinalAbsence } from '../../src/operations/absence';
import type { Contract } from '../../src/operations/contract';
import type { OperationEvent } from '../../src/operations/event';
import {
  ABSENT,
  answered,
  CONTRACT,
  closed,
  dropped,
  effect,
  evidence,
  folded,
  found,
  INCONCLUSIVE,
  KEY_1,
  KEY_2,
  marked,
  NOON,
  notSubmitted,
  PROVEN,
  registered,
  rejected,
  SENT,
  unknown,
} from './fixtures';

const generationOf = (...events: readonly OperationEvent[]) => folded(...events).current;

/** The fixtures' attempt arrives by 12:05:10; an hour later, at 13:05:10, absence is proof. */
const AT_13_05_10 = Date.UTC(2026, 2, 5, 13, 5, 10);
const AFTER_30_DAYS = Date.UTC(2026, 3, 4, 12, 0, 0);

describe('a look shows no effect of a generation', () => {
  const second = generationOf(...SENT, answered(rejected('all', 're_1')), registered(2), marked(2));

  test.each([
    ['a complete empty query', ABSENT, true],
    ['an inconclusive query', INCONCLUSIVE, false],
    ['effects of other generations only', found([effect('re_1', 'failed', { key: KEY_1 })]), true],
    ['effects of other generations, and not everything looked at', found([effect('re_1', 'failed')], false), false],
    ['an effect under its own key', found([effect('re_2', 'failed', { key: KEY_2 })]), false],
    ['an effect that does not tell its key', found([effect('re_2', 'failed', { key: null })]), false],
    [
      'one of another generation beside one that does not tell its key',
      found([effect('re_1', 'failed'), effect('re_2', 'failed', { key: null })]),
      false,
    ],
    ['an effect that does not match', found([effect('re_1', 'failed', { mismatch: 'other amount' })]), false],
  ])('%s: %#', (_name, what, absent) => {
    expect(isAbsent(second, what)).toBe(absent);
  });
});

test('a look shows no effect of a generation that was never registered, whatever others made', () => {
  expect(isAbsent(generationOf(closed(), dropped()), found([effect('re_1', 'failed')]))).toBe(true);
});

describe('absence is proof', () => {
  const generation = generationOf(...SENT, answered(unknown()));
  const judge = (contract: Contract, begunAt: number, of = generation, what: typeof ABSENT = ABSENT) =>
    isFinalAbsence(of, contract, what, begunAt);

  test('only where the contract says so', () => {
    expect(judge(CONTRACT, AT_13_05_10 + 1)).toBe(false);
    expect(judge({ ...CONTRACT, absence: 'fenced' }, AT_13_05_10 + 1)).toBe(false);
    expect(judge(PROVEN, AT_13_05_10 + 1)).toBe(true);
  });

  test('only if the look began after the last arrival plus the delay, and within the retention', () => {
    expect(judge(PROVEN, AT_13_05_10)).toBe(false);
    expect(judge(PROVEN, AFTER_30_DAYS - 1)).toBe(true);
    expect(judge(PROVEN, AFTER_30_DAYS)).toBe(false);
  });

  test('only about what was sent, and what the look shows to be absent', () => {
    expect(judge(PROVEN, AT_13_05_10 + 1, generationOf(...SENT, answered(notSubmitted())))).toBe(false);
    expect(judge(PROVEN, AT_13_05_10 + 1, generation, INCONCLUSIVE)).toBe(false);
  });

  test('counts from the last attempt that may arrive', () => {
    const resent = generationOf(...SENT, answered(unknown()), marked(1, 2, { decidedAt: NOON + 60_000 }));
    expect(judge(PROVEN, AT_13_05_10 + 1, resent)).toBe(false);
    expect(judge(PROVEN, AT_13_05_10 + 60_001, resent)).toBe(true);
  });

  test('waits for no attempt that did not leave', () => {
    const later = marked(1, 2, { decidedAt: NOON + 60_000 });
    const turned = generationOf(...SENT, answered(unknown()), later, answered(notSubmitted(), 1, 2));
    expect(judge(PROVEN, AT_13_05_10 + 1, turned)).toBe(true);
  });

  test('ends with the retention of the first attempt, whatever was sent later', () => {
    const resent = generationOf(...SENT, answered(unknown()), marked(1, 2, { decidedAt: NOON + 60_000 }));
    expect(judge(PROVEN, AFTER_30_DAYS - 1, resent)).toBe(true);
    expect(judge(PROVEN, AFTER_30_DAYS, resent)).toBe(false);
  });
});

describe('a complete look', () => {
  const generation = generationOf(...SENT, answered(unknown()), evidence(ABSENT));
  const AT_12_05_10 = Date.UTC(2026, 2, 5, 12, 5, 10);

  test('saw everything after the last moment anything could arrive', () => {
    expect(isCompleteLook(generation, ABSENT, AT_12_05_10)).toBe(false);
    expect(isCompleteLook(generation, ABSENT, AT_12_05_10 + 1)).toBe(true);
    expect(isCompleteLook(generation, found([effect('re_1')]), AT_12_05_10 + 1)).toBe(true);
    expect(isCompleteLook(generation, found([effect('re_1')], false), AT_12_05_10 + 1)).toBe(false);
    expect(isCompleteLook(generation, INCONCLUSIVE, AT_12_05_10 + 1)).toBe(false);
    expect(isCompleteLook(generationOf(registered()), ABSENT, AT_12_05_10 + 1)).toBe(false);
  });
});
