import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OperationTool } from '../../tools/tool';
import { checkGoldenIds, type GoldenVerdict } from './check-golden-ids';
import { computeCase, type GoldenCaller, type GoldenCase } from './compute-case';
import { type GoldenProblem, problemText } from './golden-problem';
import { type GoldenTable, readTable, tableText } from './golden-table';

export interface GoldenIdsOptions {
  /** The tool; or what makes it, where its business objects are there only when the tests run. */
  readonly tool: OperationTool | (() => OperationTool | Promise<OperationTool>);
  /** The table, a JSON file of your repository. It is made where there is none, and it is committed. */
  readonly file: string | URL;
  /** For whom cases act that name nobody. */
  readonly caller: GoldenCaller;
  readonly cases: readonly GoldenCase[];
  /** Whether cases without a row are written to the table. Default: where the variable CI is not set. */
  readonly addRows?: boolean;
}

/** What a run gave. `grown` was written to the file. */
export interface GoldenReport extends GoldenVerdict {
  readonly file: string;
}

/** A tool's operation IDs or intents are not those that were committed. The message says which, why it matters, and what to do. */
export class GoldenIdsBrokenError extends Error {
  readonly code = 'SENDONCE_GOLDEN_IDS_BROKEN';
  override readonly name = 'GoldenIdsBrokenError';
  constructor(
    readonly file: string,
    readonly problems: readonly GoldenProblem[],
  ) {
    super([`${file}:`, ...problems.map(problemText)].join('\n\n'));
  }
}

/**
 * Computes every case with the tool and compares it with the table; new rows are written where nothing is wrong and
 * `addRows` allows it. Throws what making the tool throws; what is wrong with the table is in the report.
 */
export async function runGoldenIds(options: GoldenIdsOptions): Promise<GoldenReport> {
  const file = goldenFile(options);
  const table = tableIn(file);
  if (typeof table === 'string') {
    return { file, problems: [{ kind: 'file-unreadable', case: null, why: table }], ties: [], grown: null };
  }
  const tool = typeof options.tool === 'function' ? await options.tool() : options.tool;
  const computed = [];
  // One after another: `resolve` is the user's, and reads systems that tests share.
  for (const { input, caller = options.caller } of options.cases) {
    computed.push(await computeCase(tool, { input, caller }));
  }
  const { addRows = !isCi() } = options;
  const verdict = checkGoldenIds({ tool: tool.name, table, computed, addRows });
  if (verdict.grown !== null) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, tableText(verdict.grown));
  }
  return { file, ...verdict };
}

export function goldenFile({ file }: Pick<GoldenIdsOptions, 'file'>): string {
  return typeof file === 'string' ? file : fileURLToPath(file);
}

/** Null where there is no file; a text says why it is no table. */
export function tableIn(file: string): GoldenTable | string | null {
  if (!existsSync(file)) return null;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // Not asked whether it is an Error: in jest, Node's are of another realm.
    return String(error);
  }
  return readTable(text);
}

/** As test runners take it: set, and not to a word for no. */
function isCi(): boolean {
  return !['', '0', 'false'].includes((process.env['CI'] ?? '').toLowerCase());
}
