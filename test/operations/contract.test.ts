// Needs nothing.
import { type Contract, checkContract } from '../../src/operations/contract';
import { shorten } from '../../src/operations/outcome';
import { days, hours, milliseconds, minutes, seconds } from '../../src/operations/time';
import { CONTRACT } from './fixtures';

describe('a contract', () => {
  const key = { window: hours(24), margin: minutes(30), maxLength: 255, replays: 'every-answer' } as const;

  test('that keeps its own bounds is taken', () => {
    expect(() => checkContract('stripe.refunds', CONTRACT)).not.toThrow();
    expect(() => checkContract('mail', { ...CONTRACT, key: 'none' })).not.toThrow();
  });

  test.each<[string, Partial<Contract>]>([
    ['no send deadline', { sendWithin: milliseconds(0) }],
    ['no time to deliver', { deliverWithin: milliseconds(0) }],
    ['no time to answer', { answerWithin: milliseconds(0) }],
    ['a margin in which the last resend could arrive too late', { key: { ...key, margin: minutes(5) } }],
    ['an answer time that no timer can count', { answerWithin: days(25) }],
    ['an absence that could never be proven', { absence: { neverAcceptedAfter: hours(2), until: hours(2) } }],
    ['keys too short for any ID', { key: { ...key, maxLength: 4 } }],
    ['a window without a moment for a resend', { key: { ...key, window: minutes(30) } }],
  ])('with %s fails at the start and not at a refund', (_name, parts) => {
    expect(() => checkContract('stripe.refunds', { ...CONTRACT, ...parts })).toThrow(RangeError);
  });
});

describe('a duration', () => {
  test('is made with its unit', () => {
    expect([milliseconds(5), seconds(5), minutes(5), hours(5), days(5)]).toEqual([
      5, 5_000, 300_000, 18_000_000, 432_000_000,
    ]);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('of %s is refused', (count) => {
    expect(() => seconds(count)).toThrow(RangeError);
  });
});

describe('a receipt', () => {
  test('keeps a bounded detail and says how long the whole was', () => {
    expect(shorten('short')).toBe('short');
    expect(shorten('x'.repeat(2_001))).toBe(`${'x'.repeat(2_000)}… (2001 characters)`);
  });
});
