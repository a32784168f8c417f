// Needs nothing.
import { laterOutcome } from '../../src/operations/attempt';
import { confirmed, notSubmitted, rejected, unknown } from './fixtures';

describe('of two answers to one attempt', () => {
  test('the first one counts where nothing was recorded before', () => {
    expect(laterOutcome(null, unknown())).toEqual(unknown());
  });

  test('what is known replaces what was unknown', () => {
    expect(laterOutcome(unknown('unsafe'), confirmed())).toEqual(confirmed());
    expect(laterOutcome(unknown('allowed'), notSubmitted())).toEqual(notSubmitted());
  });

  test('what is known stays, whatever comes after it', () => {
    expect(laterOutcome(confirmed('re_1'), unknown('unsafe'))).toEqual(confirmed('re_1'));
    expect(laterOutcome(confirmed('re_1'), rejected())).toEqual(confirmed('re_1'));
    expect(laterOutcome(notSubmitted(), confirmed('re_1'))).toEqual(notSubmitted());
  });

  test.each([
    ['allowed', 'pointless', 'pointless'],
    ['pointless', 'allowed', 'pointless'],
    ['allowed', 'unsafe', 'unsafe'],
    ['unsafe', 'allowed', 'unsafe'],
    ['pointless', 'unsafe', 'unsafe'],
    ['unsafe', 'pointless', 'unsafe'],
  ] as const)('both unknown, %s then %s → %s: the stricter one about a resend', (first, second, stays) => {
    expect(laterOutcome(unknown(first), unknown(second))).toEqual(unknown(stays));
  });

  test('both unknown and as strict → the first one stays, with its own words', () => {
    expect(laterOutcome(unknown('allowed', 'time-out'), unknown('allowed', 'reset'))).toEqual(
      unknown('allowed', 'time-out'),
    );
  });
});
