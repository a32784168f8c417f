// Needs nothing.
import type { Contract, KeyWindow } from '../../src/operations/contract';
import type { OperationEvent } from '../../src/operations/event';
import { mayResend, windowEnd } from '../../src/operations/resend';
import { hours, minutes } from '../../src/operations/time';
import {
  AT_13_00,
  answered,
  CONTRACT,
  folded,
  marked,
  NEXT_NOON,
  NOON,
  notSubmitted,
  registered,
  rejected,
  SENT,
  unknown,
} from './fixtures';

const KEY: KeyWindow = { window: hours(24), margin: minutes(30), maxLength: 255, replays: 'every-answer' };
const successes = (effectAndSuccessAreOne?: boolean): Contract => ({
  ...CONTRACT,
  key: { ...KEY, replays: 'successes', ...(effectAndSuccessAreOne === undefined ? {} : { effectAndSuccessAreOne }) },
});

function judge(events: readonly OperationEvent[], now = AT_13_00, contract: Contract = CONTRACT) {
  return mayResend(folded(...events).current, contract, now);
}

describe('the same key and request may be sent again', () => {
  const NOON_LESS_MARGIN = NEXT_NOON - 30 * 60_000;

  test('inside the window of the key, less its margin, and never after', () => {
    const events = [...SENT, answered(unknown())];
    expect(judge(events, NOON_LESS_MARGIN - 1)).toEqual({ allowed: true });
    expect(judge(events, NOON_LESS_MARGIN)).toEqual({ allowed: false, why: 'the window of its key is over' });
  });

  test('counted from the first attempt that is not proven not-submitted', () => {
    const later = marked(1, 2, { decidedAt: AT_13_00 });
    const events = [...SENT, answered(notSubmitted()), later, answered(unknown(), 1, 2)];
    expect(windowEnd(folded(...events).current, KEY)).toBe(NOON_LESS_MARGIN + 3_600_000);
    expect(judge(events, NOON_LESS_MARGIN)).toEqual({ allowed: true });
    const resent = [...SENT, answered(unknown()), later, answered(unknown(), 1, 2)];
    expect(windowEnd(folded(...resent).current, KEY)).toBe(NOON_LESS_MARGIN);
    expect(windowEnd(folded(registered()).current, KEY)).toBeNull();
  });

  test('at any time where nothing may have left: the window has not begun', () => {
    expect(judge([registered()], NOON + 10 * 86_400_000)).toEqual({ allowed: true });
  });

  test('never where the provider knows no key', () => {
    expect(judge([...SENT, answered(unknown())], NOON, { ...CONTRACT, key: 'none' })).toEqual({
      allowed: false,
      why: 'the provider knows no idempotency key',
    });
  });

  test('never where the provider stored its error and would only repeat it', () => {
    expect(judge([...SENT, answered(unknown('pointless'))])).toEqual({
      allowed: false,
      why: 'the provider stored an error under the key and would only repeat it',
    });
  });

  test('never where another send of the key could make a second effect', () => {
    expect(judge([...SENT, answered(unknown('unsafe'))])).toEqual({
      allowed: false,
      why: 'the provider may not have stored the key',
    });
  });

  test('one strict attempt is enough, whatever came after it', () => {
    const second = [marked(1, 2), answered(unknown(), 1, 2)];
    expect(judge([...SENT, answered(unknown('pointless')), ...second]).allowed).toBe(false);
  });

  test('where only successes are stored, not while an attempt is open or unknown', () => {
    const no = { allowed: false, why: 'the provider stores the key with successes only' };
    expect(judge([...SENT], AT_13_00, successes())).toEqual(no);
    const beside = [...SENT, answered(unknown()), marked(1, 2), answered(rejected('attempt'), 1, 2)];
    expect(judge(beside, AT_13_00, successes())).toEqual(no);
    expect(judge([...SENT, answered(unknown())], AT_13_00, successes()).allowed).toBe(false);
    expect(judge([...SENT, answered(unknown())], AT_13_00, successes(false)).allowed).toBe(false);
    expect(judge([...SENT, answered(rejected('attempt'))], AT_13_00, successes()).allowed).toBe(true);
  });

  test('unless an effect and its stored success are one', () => {
    expect(judge([...SENT, answered(unknown())], AT_13_00, successes(true)).allowed).toBe(true);
  });

  test('where the latest status is told', () => {
    const latest: Contract = { ...CONTRACT, key: { ...KEY, replays: 'latest-status' } };
    expect(judge([...SENT, answered(unknown())], AT_13_00, latest).allowed).toBe(true);
  });
});
