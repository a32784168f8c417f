import { answerQuestion } from './answer-question';
import type { AnsweredQuestion, PlannedQuestion } from './compare-case';
import { compareGoldenIds } from './compare-golden-ids';
import { type GoldenIdsOptions, type GoldenRow, questionsOf } from './golden-case';
import { type GoldenTable, readGoldenFile, writeGoldenFile } from './golden-file';
import { type GoldenFinding, inWords, shown } from './golden-finding';
import { firstTwice } from './row-key';

/** What became of a check. */
export interface GoldenIdsChecked {
  /** What the tool gives now, in the order of the cases. */
  readonly rows: readonly GoldenRow[];
  /** Rows that this check wrote to the file. */
  readonly recorded: readonly GoldenRow[];
  /** Empty where all is as the table has it. */
  readonly findings: readonly GoldenFinding[];
}

/** A tool's IDs or intents are not what their table says. Nothing was sent, and no row that was there was changed. */
export class GoldenIdsBrokenError extends Error {
  readonly code = 'SENDONCE_GOLDEN_IDS_BROKEN';
  override readonly name = 'GoldenIdsBrokenError';
  constructor(readonly findings: readonly GoldenFinding[]) {
    super(findings.map(({ words }) => words).join('\n\n'));
  }
}

/**
 * Runs the tool's `resolve`, `operationId` and `intent` for each input, and compares with the table in `file`. Rows that
 * it lacks are written where that is allowed, others never. Throws GoldenFileUnreadableError, TypeError for cases that
 * ask nothing or the same twice, and what `resolve` throws, unless it refuses.
 */
export async function checkGoldenIds(options: GoldenIdsOptions): Promise<GoldenIdsChecked> {
  const { file, cases, caller, record = !isInCi() } = options;
  checkCases(options);
  const table = readGoldenFile(file);
  const tool = typeof options.tool === 'function' ? await options.tool() : options.tool;
  const answered: AnsweredQuestion[] = [];
  for (const [at, each] of cases.entries()) {
    for (const [index, question] of questionsOf(each, caller).entries()) {
      const answer = await answerQuestion(tool, question);
      answered.push({ question, answer, case: at, isConflict: index >= each.inputs.length });
    }
  }
  const { findings, rows, missing } = compareGoldenIds(tool.name, answered, table, file);
  const isOther = table !== null && table.tool !== tool.name;
  if (isOther || missing.length === 0) return { rows, recorded: [], findings };
  if (!record)
    return { rows, recorded: [], findings: [...findings, ...missing.map((each) => notRecorded(each, file))] };
  return { rows, recorded: addRows(file, { tool: tool.name, rows: table?.rows ?? [] }, missing), findings };
}

/** As `checkGoldenIds`, for a test of any runner: throws GoldenIdsBrokenError where something is not as the table has it. */
export async function expectGoldenIds(options: GoldenIdsOptions): Promise<void> {
  const { findings } = await checkGoldenIds(options);
  if (findings.length > 0) throw new GoldenIdsBrokenError(findings);
}

/** Throws TypeError where the cases ask nothing, or the same twice. */
export function checkCases({ cases, caller }: GoldenIdsOptions): void {
  if (cases.length === 0 || cases.some(({ inputs }) => inputs.length === 0)) {
    throw new TypeError('Golden IDs need at least one case, and each case at least one input.');
  }
  const twice = firstTwice(cases.flatMap((each) => questionsOf(each, caller)));
  if (twice)
    throw new TypeError(`The input ${shown(twice.input)} is given twice for ${twice.customer}. Once is enough.`);
}

function addRows(file: string, { tool, rows }: GoldenTable, missing: readonly PlannedQuestion[]): GoldenRow[] {
  const added = missing.map(({ row }) => row);
  writeGoldenFile(file, { tool, rows: [...rows, ...added] });
  return added;
}

function notRecorded({ row: { input, operationId }, case: at }: PlannedQuestion, file: string): GoldenFinding {
  const words = inWords(
    `${file} has no row for ${shown(input)} (${operationId}), and in CI none is written.`,
    'whatever the tool gave here would pass for right, now and at every later run.',
    `run this test where CI is not set, look at the rows it writes to ${file}, and commit them.`,
  );
  return { problem: 'not-recorded', case: at, words };
}

/** As other tools read it: set to anything but `false`. */
function isInCi(): boolean {
  const { CI = '' } = process.env;
  return CI !== '' && CI !== 'false';
}
