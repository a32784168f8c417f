import { columns } from '../support/columns';
import type { Checked } from './check';
import { KINDS } from './kinds';
import type { Found } from './task';
import { violationsOf } from './verdict';

/** What was found, for people: the stories, then a table of scenarios and one of mistakes. */
export function report(checked: Checked, { withMistakes }: { readonly withMistakes: boolean }): string {
  const mistakes = withMistakes ? checked.mutants.map(({ found }) => found) : [];
  const stories = [...violationsOf(checked), ...mistakes].flatMap(storyLines);
  return [...stories, ...scenarioTable(checked), ...mutantTable(checked)].join('\n');
}

function storyLines({ task, violation }: Found): string[] {
  if (violation === null) return [];
  return ['', `${task.kind} ${task.id}`, violation.story, `again: npm run model -- --replay ${violation.seed}`];
}

function scenarioTable({ scenarios, walks, controls }: Checked): string[] {
  if (scenarios.length + walks.length + controls.length === 0) return [];
  const kinds = [...new Set(scenarios.map(({ kind }) => kind))];
  const words = (id: string) => {
    const kind = KINDS.find((one) => one.id === id);
    return kind ? `${kind.promise}, ${kind.hasQuery ? 'can be asked' : 'cannot be asked'}` : id;
  };
  const rows = kinds.map((id) => {
    const own = scenarios.filter(({ kind }) => kind === id).map(({ found }) => found);
    return row(words(id), own);
  });
  const steps = walks.reduce((sum, { transitions }) => sum + transitions, 0);
  return [
    '',
    'Scenarios by kind of contract. States are distinct within a scenario, and summed.',
    '',
    ...columns([
      ['the provider', 'scenarios', 'bounded', 'states', 'transitions', 'violations', 'seconds'],
      ...rows,
      ...(controls.length === 0 ? [] : [row('scenarios of the mistakes, without them', controls)]),
    ]),
    ...(walks.length === 0 ? [] : ['', `Random walks beside them, which count as neither: ${steps} moves.`]),
    ...boundLines(scenarios),
  ];
}

function boundLines(scenarios: Checked['scenarios']): string[] {
  const bounded = scenarios.filter(({ found }) => found.incomplete === 'bounded');
  if (bounded.length === 0) return [];
  const [first] = bounded;
  const ids = bounded.map(({ found }) => found.task.id).join(', ');
  return ['', `Looked at up to the stated bound of ${first?.bound} states, and not completely: ${ids}.`];
}

function row(name: string, found: readonly Found[]): string[] {
  const sum = (of: (one: Found) => number) => String(Math.round(found.reduce((total, one) => total + of(one), 0)));
  return [
    name,
    String(found.length),
    sum(({ incomplete }) => (incomplete === 'bounded' ? 1 : 0)),
    sum(({ states }) => states),
    sum(({ transitions }) => transitions),
    sum(({ violation }) => (violation === null ? 0 : 1)),
    sum(({ seconds }) => seconds),
  ];
}

function mutantTable({ mutants }: Checked): string[] {
  if (mutants.length === 0) return [];
  return [
    '',
    'Planted mistakes. Without the mistake, nothing is found in the same scenario.',
    '',
    ...columns([
      ['mistake', 'moves', 'caught by'],
      ...mutants.map(({ mutant, found: { violation }, caught }) => {
        const rule = violation?.rules[0] ?? 'nothing';
        return [mutant.planted, String(violation?.moves ?? '-'), caught ? rule : `NOT CAUGHT (${rule})`];
      }),
    ]),
  ];
}
