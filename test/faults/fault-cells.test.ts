// Needs nothing: it starts servers of its own, since it kills them.
import type { Cell } from './cells';
import { runCells } from './run-cells';
import { Stage } from './stage';
import { sumOf } from './table';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open(() => undefined);
}, 60_000);
afterAll(() => stage.close());

/** One of each kind: a death, a zombie, a lost commit, a lost answer, a crashed ledger, a crashed Temporal. */
const CELLS: readonly Cell[] = [
  { edge: 'after-mark', fault: 'sigstop' },
  { edge: 'after-effect-before-answer', fault: 'sigkill' },
  { edge: 'before-mark', fault: 'commit-cut' },
  { edge: 'after-mark', fault: 'half-open-from-provider' },
  { edge: 'after-answer-before-record', fault: 'postgres-restart' },
  { edge: 'after-record-before-completion', fault: 'temporal-restart' },
];

test('a telling part of the matrix → one effect each, the ledger says what the provider has, everybody hears the end once', async () => {
  const results = await runCells(stage, CELLS, { runs: 4 });
  const complaints = results.flatMap(({ cell, judged, notBroughtAbout }) => [
    ...(notBroughtAbout === null ? [] : [{ cell, notBroughtAbout }]),
    ...judged.flatMap(({ run: { operationId }, wrong, open }) =>
      wrong.length + open.length === 0 ? [] : [{ cell, operationId, wrong, open }],
    ),
  ]);
  expect(complaints).toEqual([]);
  expect(sumOf(results)).toEqual({ runs: 24, wrong: 0, open: 0 });
  expect(results.map(({ effects }) => effects)).toEqual(CELLS.map(() => 4));
}, 240_000);

test('a tool that makes a new key for each try → found wrong', async () => {
  const [result] = await runCells(stage, [{ edge: 'after-mark', fault: 'sigstop' }], { runs: 2, broken: true });
  expect(result?.notBroughtAbout).toBeNull();
  expect(result?.effects).toBeGreaterThan(2);
  expect(result?.judged.flatMap(({ wrong }) => wrong)).toContainEqual(expect.stringMatching(/^2 effects: re_/));
}, 240_000);
