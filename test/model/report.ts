import { UNANSWERED } from '../../src/testing/explorer/moves';
import { findScenario } from './catalogue';
import { findMutant } from './mutants';
import type { Explored, Task, TaskResult } from './task';

export interface Entry {
  readonly task: Task;
  readonly result: TaskResult;
}

/** What was explored by kind of contract, and which rule caught each planted mistake. */
export function report(entries: readonly Entry[]): string {
  const tables = [scenarioTable(entries), walkTable(entries), mutantTable(entries)];
  return `${tables.filter((table) => table !== '').join('\n\n')}\n`;
}

export function sumLine(entries: readonly Entry[]): string {
  const scenarios = entries.filter(({ task }) => task.kind === 'scenario');
  const mutants = entries.filter(({ task }) => task.kind === 'mutant');
  const states = sum(scenarios.map(({ result }) => result.sound.states));
  const transitions = sum(scenarios.map(({ result }) => result.sound.transitions));
  const violations = entries.filter(({ result }) => result.sound.violation !== null).length;
  const caught = mutants.filter(isCaught).length;
  return `model: ${states} distinct states, ${transitions} transitions, ${violations} violations, ${caught} of ${mutants.length} mutants caught`;
}

/** Why the check has failed, a line each; empty where it has not. */
export function failures(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => {
    const { task, result } = entry;
    const { violation } = result.sound;
    if (violation) return [`BROKEN ${task.name}: ${violation.broken[0]?.rule}`];
    if (!result.sound.complete && !isBounded(task)) return [`NOT EXPLORED WHOLE ${task.name}`];
    if (task.kind === 'mutant' && !isCaught(entry)) {
      return [`NOT CAUGHT ${task.name}: ${ruleOf(result.planted) ?? 'nothing is broken'}`];
    }
    return [];
  });
}

/** By a rule: what only makes the rules throw says nothing about them. And where the rule is named, by that one. */
function isCaught({ task, result: { sound, planted } }: Entry): boolean {
  const rule = ruleOf(planted);
  if (rule === null || rule === UNANSWERED || sound.violation !== null || !sound.complete) return false;
  return findMutant(task.name)?.caughtBy.test(rule) === true;
}

function isBounded({ kind, name }: Task): boolean {
  return kind === 'scenario' && findScenario(name)?.maxStates !== undefined;
}

function scenarioTable(entries: readonly Entry[]): string {
  const kinds = new Map<string, Entry[]>();
  for (const entry of entries.filter(({ task }) => task.kind === 'scenario')) {
    const kind = findScenario(entry.task.name)?.kind ?? '';
    kinds.set(kind, [...(kinds.get(kind) ?? []), entry]);
  }
  if (kinds.size === 0) return '';
  const rows = [...kinds].flatMap(([kind, own]) => [
    ['', ''],
    [kind, '', ''],
    ...own.map(({ task, result: { sound } }) => [
      `  ${task.name}${sound.complete || sound.violation ? '' : ' (up to this bound)'}`,
      String(sound.states),
      String(sound.transitions),
    ]),
  ]);
  return columns([['explored', 'states', 'transitions'], ...rows]);
}

function walkTable(entries: readonly Entry[]): string {
  const walks = entries.filter(({ task }) => task.kind === 'walk');
  if (walks.length === 0) return '';
  return columns([
    ['random walks', 'moves'],
    ...walks.map(({ task, result }) => [`  ${task.name}`, String(result.sound.transitions)]),
  ]);
}

function mutantTable(entries: readonly Entry[]): string {
  const mutants = entries.filter(({ task }) => task.kind === 'mutant');
  if (mutants.length === 0) return '';
  return columns([
    ['planted mistake', 'moves', 'caught by'],
    ...mutants.map((entry) => {
      const { task, result } = entry;
      const moves = result.planted?.violation?.path.length;
      const rule = ruleOf(result.planted) ?? 'NOTHING';
      return [
        `  ${task.name}`,
        moves === undefined ? '' : String(moves),
        isCaught(entry) ? rule : `NOT CAUGHT: ${rule}`,
      ];
    }),
  ]);
}

function ruleOf(explored: Explored | null): string | null {
  return explored?.violation?.broken[0]?.rule ?? null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => (row[index] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          /^\d+$/.test(cell) ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
