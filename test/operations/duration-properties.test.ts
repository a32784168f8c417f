// Needs nothing.
import fc from 'fast-check';
import { markedEvent } from '../../src/operations/marking';
import { days, hours, milliseconds, minutes, seconds } from '../../src/operations/time';
import { runs } from '../support/property-runs';
import { setup } from './drive';
import { CONTRACT, NOON } from './fixtures';

const UNITS = [milliseconds, seconds, minutes, hours, days] as const;
/** As people write them: a third of a second, 1.1 hours. */
const count = fc.oneof(
  fc.double({ min: 0, max: 1_000, noNaN: true }),
  fc.tuple(fc.nat(1_000), fc.constantFrom(10, 100, 3, 7)).map(([whole, parts]) => whole / parts),
);
const duration = fc.tuple(fc.constantFrom(...UNITS), count).map(([unit, many]) => unit(many));

test('a duration is whole milliseconds, whatever its unit, and so is every bound that a mark gets from a contract', () => {
  fc.assert(
    fc.property(duration, duration, duration, (sendWithin, deliverWithin, answerWithin) => {
      expect(Number.isSafeInteger(sendWithin)).toBe(true);
      const contract = { ...CONTRACT, sendWithin, deliverWithin, answerWithin };
      // The ledger keeps moments in whole milliseconds; Postgres refuses to save a part of one.
      const { sendBy, arriveBy, answerBy } = markedEvent(setup({ contract }), 1, 1, NOON);
      for (const moment of [sendBy, arriveBy, answerBy]) expect(Number.isSafeInteger(moment)).toBe(true);
    }),
    runs(500),
  );
});

test('a duration is off by no more than half a millisecond', () => {
  fc.assert(
    fc.property(count, (many) => {
      expect(Math.abs(hours(many) - many * 3_600_000)).toBeLessThanOrEqual(0.5);
      expect(Math.abs(milliseconds(many) - many)).toBeLessThanOrEqual(0.5);
    }),
    runs(200),
  );
});
