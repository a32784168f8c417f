import type { ComputedCase } from './compute-case';
import type { GoldenProblem } from './golden-problem';
import { caseKey, caseName, type GoldenRow, type GoldenTable, type GoldenTie, tiesIn } from './golden-table';

/** What is compared. */
export interface GoldenComparison {
  readonly tool: string;
  /** What was committed; null where there is nothing yet. */
  readonly table: GoldenTable | null;
  readonly computed: readonly ComputedCase[];
  /** Whether cases without a row get one. */
  readonly addRows: boolean;
}

export interface GoldenVerdict {
  /** Empty where all is as it was. */
  readonly problems: readonly GoldenProblem[];
  readonly ties: readonly GoldenTie[];
  /** The table with the new rows behind the old ones; null where there are none, or problems. */
  readonly grown: GoldenTable | null;
}

/** Compares what a tool computes now with what was committed. Pure: no file, no tool, no test runner. */
export function checkGoldenIds({ tool, table, computed, addRows }: GoldenComparison): GoldenVerdict {
  const rows = new Map((table?.rows ?? []).map((row) => [caseKey(row), row]));
  const now = computed.flatMap((one) => (one.kind === 'computed' ? [rowOf(one)] : []));
  const ties = tiesIn(now);
  const added = now.filter((row) => !rows.has(caseKey(row)));
  const problems = [
    ...(table !== null && table.tool !== tool
      ? [{ kind: 'other-tool', case: null, was: table.tool, is: tool } as const]
      : []),
    ...computed.flatMap((one, index) => caseProblems(one, computed.slice(0, index), rows.get(caseKey(one)) ?? null)),
    ...merged(now, rows),
    ...missing(computed, rows),
    ...(addRows ? [] : added.map((row) => ({ kind: 'row-missing', case: caseName(row) }) as const)),
  ];
  const grows = problems.length === 0 && added.length > 0;
  return { problems, ties, grown: grows ? { tool, rows: [...(table?.rows ?? []), ...added] } : null };
}

function caseProblems(one: ComputedCase, earlier: readonly ComputedCase[], row: GoldenRow | null): GoldenProblem[] {
  const name = caseName(one);
  if (earlier.some((other) => caseKey(other) === caseKey(one))) return [{ kind: 'case-twice', case: name }];
  if (one.kind === 'refused') return [{ kind: 'refused', case: name, why: one.why }];
  if (one.kind === 'unsteady') return [{ kind: 'unsteady', case: name, answers: one.answers }];
  if (row === null) return [];
  const changes: GoldenProblem[] = [];
  if (one.operationId !== row.operationId) {
    changes.push({ kind: 'id-changed', case: name, was: row.operationId, is: one.operationId });
  }
  if (one.intent !== row.intent) changes.push({ kind: 'intent-changed', case: name, was: row.intent, is: one.intent });
  return changes;
}

/** Cases that the table holds apart and that are one operation now. */
function merged(now: readonly GoldenRow[], rows: ReadonlyMap<string, GoldenRow>): GoldenProblem[] {
  return now.flatMap((row): GoldenProblem[] => {
    const own = rows.get(caseKey(row));
    if (own === undefined) return [];
    const others = now.filter((other) => {
      const before = rows.get(caseKey(other));
      if (other === row || other.tenant !== row.tenant || other.operationId !== row.operationId) return false;
      return before !== undefined && before.operationId !== own.operationId;
    });
    if (others.length === 0) return [];
    return [{ kind: 'merged', case: caseName(row), operationId: row.operationId, with: others.map(caseName) }];
  });
}

function missing(computed: readonly ComputedCase[], rows: ReadonlyMap<string, GoldenRow>): GoldenProblem[] {
  const asked = new Set(computed.map(caseKey));
  return [...rows].filter(([key]) => !asked.has(key)).map(([, row]) => ({ kind: 'case-missing', case: caseName(row) }));
}

function rowOf({ tenant, customer, input, operationId, intent }: GoldenRow): GoldenRow {
  return { tenant, customer, input, operationId, intent };
}
