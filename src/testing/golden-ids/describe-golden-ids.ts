import { basename } from 'node:path';
import type { GoldenProblem } from './golden-problem';
import { caseKey, caseName, type GoldenRow, tiesIn } from './golden-table';
import { GoldenIdsBrokenError, type GoldenIdsOptions, goldenFile, runGoldenIds, tableIn } from './run-golden-ids';

/** What is used of a test runner: jest's names, or another's of the same shape (Vitest with `globals`). */
interface TestRunner {
  readonly describe: (name: string, register: () => void) => void;
  readonly test: (name: string, run: () => Promise<void>, timeoutMs: number) => void;
}

/** The first test computes all cases, on whatever systems the tool reads. */
const TIMEOUT_MS = 60_000;

/**
 * Registers a test for each case, and one for the table. They fail, and say what to do, where an operation ID or an
 * intent is not the committed one. Throws TypeError outside of a test runner.
 */
export function describeGoldenIds(options: GoldenIdsOptions): void {
  const { describe, test } = testRunner();
  const file = goldenFile(options);
  const cases = options.cases.map(({ input, caller = options.caller }) => ({ ...caller, input }));
  const rows = rowsIn(file);
  let running: ReturnType<typeof runGoldenIds> | null = null;
  /** Once for all tests, by the first that runs: whatever the tool needs is there only then. */
  const broken = async (isMine: (problem: GoldenProblem) => boolean) => {
    running ??= runGoldenIds(options);
    const problems = (await running).problems.filter(isMine);
    if (problems.length > 0) throw new GoldenIdsBrokenError(file, problems);
  };
  const names = new Set(cases.map(caseName));
  describe(`golden IDs in ${basename(file)}`, () => {
    for (const one of new Map(cases.map((each) => [caseKey(each), each])).values()) {
      test(
        title(one, rows),
        () => broken((problem) => problem.case === caseName(one) || problem.kind === 'file-unreadable'),
        TIMEOUT_MS,
      );
    }
    const isOfNoCase = (problem: GoldenProblem) => problem.case === null || !names.has(problem.case);
    test('every row of the table has its case, and the table is this tool’s', () => broken(isOfNoCase), TIMEOUT_MS);
  });
}

/** Says of a case what was committed, and which others are the same operation. */
function title(one: Pick<GoldenRow, 'tenant' | 'customer' | 'input'>, rows: readonly GoldenRow[]): string {
  const name = caseName(one);
  const row = rows.find((each) => caseKey(each) === caseKey(one));
  if (row === undefined) return `${name} is new`;
  const tie = tiesIn(rows).find(({ cases }) => cases.includes(caseName(row)));
  const others = (tie?.cases ?? []).filter((other) => other !== caseName(row));
  return `${name} is ${row.operationId}${others.length === 0 ? '' : `, as is ${others.join(', ')}`}`;
}

function rowsIn(file: string): readonly GoldenRow[] {
  const table = tableIn(file);
  return table === null || typeof table === 'string' ? [] : table.rows;
}

/** Looked up where it is called: no test runner is a dependency of the package. */
function testRunner(): TestRunner {
  const { describe, test } = globalThis as { readonly describe?: unknown; readonly test?: unknown };
  if (typeof describe !== 'function' || typeof test !== 'function') {
    throw new TypeError(
      'describeGoldenIds registers tests, and there is no describe and test here. Call it in a test file of jest, with its ' +
        'globals; elsewhere use runGoldenIds.',
    );
  }
  return { describe, test } as TestRunner;
}
