// Needs nothing.
import { readArguments } from './arguments';
import { MATRIX, whyMeaningless } from './cells';
import { main } from './main';
import { sumOf, sumText } from './table';

test('without arguments: the whole matrix, twenty operations a cell', () => {
  expect(readArguments([])).toEqual({ help: false, list: false, runs: 20, cells: MATRIX, broken: false });
  expect(MATRIX).toHaveLength(65);
  expect(MATRIX.filter((cell) => whyMeaningless(cell) === null)).toHaveLength(57);
});

test('edges and faults choose cells', () => {
  const { cells } = readArguments(['--edge', 'before-mark', '--edge', 'after-mark', '--fault', 'sigkill']);
  expect(cells).toEqual([
    { edge: 'before-mark', fault: 'sigkill' },
    { edge: 'after-mark', fault: 'sigkill' },
  ]);
});

test.each([
  [['--runs', '0'], '--runs must be a whole number from 1 to 100, not "0".'],
  [['--runs', 'many'], '--runs must be a whole number from 1 to 100, not "many".'],
  [['--edge', 'nowhere'], /^--edge must be one of before-mark, .*, not nowhere\.$/],
  [['--fault', 'rain'], /^--fault must be one of sigkill, .*, not rain\.$/],
  [['--what'], /^Unknown option '--what'/],
])('%j is refused', (args, message) => {
  expect(() => readArguments(args)).toThrow(message);
});

test('what cannot be read, or leaves nothing to run, ends with 2', async () => {
  const said: string[] = [];
  const spy = jest.spyOn(console, 'error').mockImplementation((line: string) => void said.push(line));
  try {
    expect(await main(['--runs', '0'])).toBe(2);
    expect(await main(['--edge', 'after-mark', '--fault', 'commit-cut'])).toBe(2);
  } finally {
    spy.mockRestore();
  }
  expect(said).toEqual([
    'faults: --runs must be a whole number from 1 to 100, not "0". See --help.',
    expect.stringMatching(/^faults: nothing to run\. after-mark × commit-cut: no commit comes before the send/),
  ]);
});

test('the last line is the sum', () => {
  expect(sumText({ runs: 1_140, wrong: 1, open: 2 })).toBe('faults: 1140 runs, 1 wrong, 2 left open');
  const shown = { judged: [], settledAfterMs: [], sends: 0, effects: 0, tookMs: 0, workerErrors: [] };
  const cell = { edge: 'after-mark', fault: 'sigkill' } as const;
  // Whatever was not brought about has shown nothing.
  expect(sumOf([{ cell, runs: 3, ...shown, notBroughtAbout: 'No port was free.' }])).toEqual({
    runs: 3,
    wrong: 0,
    open: 3,
  });
});
