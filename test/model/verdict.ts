import type { Checked } from './check';
import type { Found } from './task';

/** What is not as it must be, a line each; empty where the check holds. */
export function problemsOf({ scenarios, walks, mutants, controls }: Checked): string[] {
  const looked = [...scenarios.map(({ found }) => found), ...walks, ...controls];
  return [
    ...looked.filter(({ violation }) => violation !== null).map(brokenLine),
    ...looked.flatMap(({ task, states, incomplete }) => {
      if (incomplete === 'stopped') return [`${task.id}: stopped after ${states} states, and no bound is stated`];
      return incomplete === 'not reached' ? [`${task.id}: what it is about never happened`] : [];
    }),
    ...mutants.flatMap(({ mutant, found, caught }) =>
      caught ? [] : [`mutant/${mutant.id} is not caught: ${found.violation?.rules[0] ?? 'no rule was broken'}`],
    ),
  ];
}

export function violationsOf({ scenarios, walks, controls }: Checked): Found[] {
  return [...scenarios.map(({ found }) => found), ...walks, ...controls].filter(({ violation }) => violation !== null);
}

/** The last line. States are distinct within a scenario, and summed. */
export function sumLine(checked: Checked): string {
  const { scenarios, mutants, controls } = checked;
  const explored = [...scenarios.map(({ found }) => found), ...controls];
  const states = explored.reduce((sum, found) => sum + found.states, 0);
  const transitions = explored.reduce((sum, found) => sum + found.transitions, 0);
  const caught = mutants.filter((one) => one.caught).length;
  return (
    `model: ${states} distinct states, ${transitions} transitions, ${violationsOf(checked).length} violations, ` +
    `${caught} of ${mutants.length} mutants caught`
  );
}

function brokenLine({ task, violation }: Found): string {
  return `${task.id}: ${violation?.rules[0]}`;
}
