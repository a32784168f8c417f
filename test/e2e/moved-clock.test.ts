// Needs nothing.
import { spanText } from '../../src/dev/clock/span-text';
import { MovedClock } from '../../src/dev/story/moved-clock';

const HOUR_MS = 3_600_000;

describe('what was noted by a clock that was moved is told when it happened', () => {
  const clock = new MovedClock(HOUR_MS);
  clock.moved(10_000, 25 * HOUR_MS);
  clock.moved(20_000, 2 * HOUR_MS);

  test.each([
    ['before any move', 5_000 + HOUR_MS, 5_000],
    ['after the first move', 12_000 + 26 * HOUR_MS, 12_000],
    ['after the second', 23_000 + 28 * HOUR_MS, 23_000],
    ['in what the first move jumped over', 10_000 + 2 * HOUR_MS, 10_000],
    ['noted a moment after a move that was heard of late', 9_990 + 26 * HOUR_MS, 10_000],
  ])('%s', (_when, ledgerTime, real) => {
    expect(clock.realTimeOf(ledgerTime)).toBe(real);
  });
});

test.each([
  [0, '0 s'],
  [90_000, '1 min 30 s'],
  [25 * HOUR_MS, '25 h'],
  [48 * HOUR_MS, '2 d'],
  [73 * HOUR_MS + 61_000, '3 d 1 h 1 min 1 s'],
])('%i ms are told as %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});
