// Needs nothing.
import { type Contract, checkContract } from '../../src/operations/contract';
import { shorten } from '../../src/operations/outcome';
import { days, hours, milliseconds, minutes, seconds } from '../../src/operations/time';
import { CONTRACT } from './fixtures';

describe('a contract', () => {
  const key = { window: hours(24), margin: minutes(30), maxLength: 255, replays: 'every-answer' } as const;

  test.each<[string, Partial<Contract>]>([
    ['nothing odd', {}],
    ['no key', { key: 'none' }],
    ['a fence', { absence: 'fenced' }],
    ['the longest time that a timer can count', { answerWithin: milliseconds(2 ** 31 - 1 - 10_000) }],
    [
      'a moment in which absence can be proven',
      { absence: { neverAcceptedAfter: hours(1), until: milliseconds(3_900_001) } },
    ],
    ['the smallest margin', { key: { ...key, margin: milliseconds(310_000) } }],
    ['a moment for a resend', { key: { ...key, window: milliseconds(1_800_001) } }],
    ['room for an ID of one character', { key: { ...key, maxLength: 5 } }],
  ])('with %s is taken', (_name, parts) => {
    expect(() => checkContract('stripe.refunds', { ...CONTRACT, ...parts })).not.toThrow();
  });

  const aboveZero = 'sendWithin, deliverWithin and answerWithin must be above zero.';
  test.each<[string, Partial<Contract>, string]>([
    ['no send deadline', { sendWithin: milliseconds(0) }, aboveZero],
    ['no time to deliver', { deliverWithin: milliseconds(0) }, aboveZero],
    ['no time to answer', { answerWithin: milliseconds(0) }, aboveZero],
    [
      'a margin in which the last resend could arrive too late',
      { key: { ...key, margin: milliseconds(309_999) } },
      "the key's margin (309999 ms) must be at least sendWithin + deliverWithin (310000 ms), " +
        'or the last resend could arrive after the provider forgot the key.',
    ],
    [
      'an answer time that no timer can count',
      { answerWithin: milliseconds(2 ** 31 - 10_000) },
      'sendWithin and answerWithin together must be below 24 days.',
    ],
    [
      'an absence that could never be proven',
      { absence: { neverAcceptedAfter: hours(1), until: milliseconds(3_900_000) } },
      'absence.until must be longer than deliverWithin + neverAcceptedAfter, or absence could never be proven.',
    ],
    [
      'keys too short for any ID',
      { key: { ...key, maxLength: 4 } },
      "the key's maxLength (4) leaves no room for an ID.",
    ],
    [
      'a window without a moment for a resend',
      { key: { ...key, window: minutes(30) } },
      "the key's window (1800000 ms) must be longer than its margin (1800000 ms).",
    ],
  ])('with %s fails at the start and not at a refund', (_name, parts, problem) => {
    expect(() => checkContract('stripe.refunds', { ...CONTRACT, ...parts })).toThrow(
      new RangeError(`Provider stripe.refunds: ${problem}`),
    );
  });
});

describe('a duration', () => {
  test('is made with its unit', () => {
    expect([milliseconds(5), seconds(5), minutes(5), hours(5), days(5)]).toEqual([
      5, 5_000, 300_000, 18_000_000, 432_000_000,
    ]);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('of %s is refused', (count) => {
    expect(() => seconds(count)).toThrow(
      new RangeError(`A duration must be zero or a positive number of milliseconds, not ${String(count * 1_000)}.`),
    );
  });
});

describe('a receipt', () => {
  test('keeps a bounded detail and says how long the whole was', () => {
    expect(shorten('short')).toBe('short');
    expect(shorten('x'.repeat(2_000))).toBe('x'.repeat(2_000));
    expect(shorten('x'.repeat(2_001))).toBe(`${'x'.repeat(2_000)}… (2001 characters)`);
  });
});
