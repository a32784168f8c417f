import { type AnsweredQuestion, judgeAgainstRow, judgeAnswer, judgeCase, type PlannedQuestion } from './compare-case';
import type { GoldenRow } from './golden-case';
import type { GoldenTable } from './golden-file';
import { type GoldenFinding, inWords, shown } from './golden-finding';
import { rowOf } from './row-key';

export interface Comparison {
  readonly findings: readonly GoldenFinding[];
  /** What the tool gives now. */
  readonly rows: readonly GoldenRow[];
  /** Rows that the table lacks, of cases without a finding. */
  readonly missing: readonly PlannedQuestion[];
}

/** Compares what a tool gives with its table; null is a table that does not exist yet. `file` is for the words only. */
export function compareGoldenIds(
  tool: string,
  answered: readonly AnsweredQuestion[],
  table: GoldenTable | null,
  file: string,
): Comparison {
  const planned = answered.flatMap(plannedQuestion);
  const old = table?.rows ?? [];
  const findings = [
    ...judgeTable(tool, answered, table, file),
    ...answered.flatMap(judgeAnswer),
    ...planned.flatMap((each) => {
      const row = rowOf(old, each.row);
      return row ? judgeAgainstRow(each, row, file) : [];
    }),
    ...casesOf(planned).flatMap(judgeCase),
    ...judgeAcrossCases(planned),
  ];
  const wrong = new Set(findings.map(({ case: at }) => at));
  return {
    findings,
    rows: planned.map(({ row }) => row),
    missing: planned.filter((each) => !rowOf(old, each.row) && !wrong.has(each.case)),
  };
}

function plannedQuestion({ question, answer, case: at, isConflict }: AnsweredQuestion): PlannedQuestion[] {
  if (answer.kind !== 'planned') return [];
  const { operationId, intent } = answer;
  return [{ row: { ...question, operationId, intent: JSON.parse(intent) }, intent, case: at, isConflict }];
}

function casesOf(planned: readonly PlannedQuestion[]): PlannedQuestion[][] {
  return [...new Set(planned.map(({ case: at }) => at))].map((at) => planned.filter((each) => each.case === at));
}

function judgeTable(
  tool: string,
  answered: readonly AnsweredQuestion[],
  table: GoldenTable | null,
  file: string,
): GoldenFinding[] {
  if (table === null) return [];
  if (table.tool !== tool) {
    const words = inWords(
      `${file} is the table of ${table.tool}, and this tool is ${tool}.`,
      "one tool's IDs say nothing about another's.",
      `give each tool a file of its own. If the tool was renamed, write its new name into ${file}, and see what becomes of its open operations.`,
    );
    return [{ problem: 'other-tool', case: null, words }];
  }
  const asked = answered.map(({ question }) => question);
  return table.rows
    .filter((row) => !rowOf(asked, row))
    .map((row) => {
      const words = inWords(
        `${file} has a row for ${shown(row.input)} of ${row.customer} (${row.operationId}) that no case asks for any more.`,
        'nobody would see if its ID changed, and the business that was done under it be done again.',
        `put the input back among the cases. Only if no operation can have been made with it: delete the row from ${file}.`,
      );
      return { problem: 'removed', case: null, words };
    });
}

/** IDs are a tenant's own, so only inside of one tenant are two cases mistaken for each other. */
function judgeAcrossCases(planned: readonly PlannedQuestion[]): GoldenFinding[] {
  return casesOf(planned).flatMap((mine) => {
    const [one, other] = firstShared(mine, planned);
    if (!one || !other) return [];
    const words = inWords(
      `${shown(one.row.input)} and ${shown(other.row.input)} stand in two cases and give one operation ID, ${one.row.operationId}.`,
      'two wishes would be one operation: the second is told already_done, or conflict, and is never carried out.',
      'put into operationId what tells them apart. If they are the same business, make them inputs of one case.',
    );
    return [{ problem: 'shared-id', case: one.case, words }];
  });
}

function firstShared(mine: readonly PlannedQuestion[], planned: readonly PlannedQuestion[]) {
  const pairs = mine.flatMap((one) => planned.map((other) => [one, other] as const));
  return pairs.find(([one, other]) => one.case !== other.case && isSameOperation(one.row, other.row)) ?? [];
}

function isSameOperation(one: GoldenRow, other: GoldenRow): boolean {
  return one.tenant === other.tenant && one.operationId === other.operationId;
}
