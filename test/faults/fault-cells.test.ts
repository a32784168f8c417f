// Needs nothing: it starts servers of its own, since it kills them.
import type { Cell } from './cells';
import type { CellResult } from './run-cell';
import { runCells } from './run-cells';
import { Stage } from './stage';
import { sumOf } from './table';

const RUNS = 4;

/** One of each kind: a zombie, a death, a lost commit, an answer that comes too late, a crash of Postgres, of Temporal. */
const CELLS: readonly Cell[] = [
  { edge: 'after-mark', fault: 'sigstop' },
  { edge: 'after-effect-before-answer', fault: 'sigkill' },
  { edge: 'after-effect-before-answer', fault: 'slow-answer' },
  { edge: 'before-mark', fault: 'commit-cut' },
];
const CRASHES: readonly Cell[] = [
  { edge: 'after-answer-before-record', fault: 'postgres-restart' },
  { edge: 'after-record-before-completion', fault: 'temporal-restart' },
];

/** Where another worker sends for sure after the refund was made. */
const BROKEN_CELL: Cell = { edge: 'after-effect-before-answer', fault: 'sigkill' };

let stage: Stage | undefined;
let results: readonly CellResult[];
let broken: readonly CellResult[];

beforeAll(async () => {
  stage = await Stage.open(() => undefined);
  // Much of each is waiting, so they wait together.
  const [together, ofBroken] = await Promise.all([
    runCells(stage, CELLS, { runs: RUNS }),
    runCells(stage, [BROKEN_CELL], { runs: 2, broken: true }),
  ]);
  results = [...together, ...(await runCells(stage, CRASHES, { runs: RUNS }))];
  broken = ofBroken;
}, 600_000);
afterAll(() => stage?.close());

test('a telling part of the matrix → one effect each, the ledger says what the provider has, everybody hears the end once', () => {
  const complaints = results.flatMap(({ cell, judged, notBroughtAbout }) => [
    ...(notBroughtAbout === null ? [] : [{ cell, notBroughtAbout }]),
    ...judged.flatMap(({ run: { operationId }, wrong, open }) =>
      wrong.length + open.length === 0 ? [] : [{ cell, operationId, wrong, open }],
    ),
  ]);
  expect(complaints).toEqual([]);
  const cells = [...CELLS, ...CRASHES];
  expect(sumOf(results)).toEqual({ runs: RUNS * cells.length, wrong: 0, open: 0 });
  expect(results.map(({ effects }) => effects)).toEqual(cells.map(() => RUNS));
});

test('a tool that makes a new key for each try → found wrong', () => {
  const [result] = broken;
  expect(result?.notBroughtAbout).toBeNull();
  expect(result?.effects).toBe(4);
  expect(result?.judged.flatMap(({ wrong }) => wrong)).toContainEqual(expect.stringMatching(/^2 effects: re_/));
});
