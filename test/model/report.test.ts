// Needs nothing.
import type { Violation } from '../../src/testing/explorer/explore';
import { SCENARIOS } from './catalogue';
import { MUTANTS } from './mutants';
import { type Entry, failures, report, sumLine } from './report';
import type { Explored, Task } from './task';

const WHOLE: Explored = { states: 10, transitions: 20, complete: true, violation: null, ms: 1 };
const broken = (rule: string): Explored => {
  const violation: Violation = { broken: [{ rule, what: 'It was.' }], story: 'a story', path: [0, 1] };
  return { ...WHOLE, complete: false, violation };
};
const [scenario] = SCENARIOS.filter(({ maxStates }) => maxStates === undefined).map(({ scenario: { name } }) => name);
const [bounded] = SCENARIOS.filter(({ maxStates }) => maxStates !== undefined).map(({ scenario: { name } }) => name);
const mutant = MUTANTS.find(({ name }) => name === 'no send deadline')?.name ?? '';
const entry = (kind: 'scenario' | 'mutant', name = '', sound = WHOLE, planted: Explored | null = null): Entry => {
  const task: Task = { kind, name };
  return { task, result: { sound, planted, story: null } };
};

describe('the model check fails', () => {
  test.each([
    ['a rule is broken', entry('scenario', scenario, broken('Rule 2: one')), `BROKEN ${scenario}: Rule 2: one`],
    [
      'not all was explored',
      entry('scenario', scenario, { ...WHOLE, complete: false }),
      `NOT EXPLORED WHOLE ${scenario}`,
    ],
    ['a mistake breaks nothing', entry('mutant', mutant, WHOLE, WHOLE), `NOT CAUGHT ${mutant}: nothing is broken`],
    [
      'a mistake only makes the rules throw',
      entry('mutant', mutant, WHOLE, broken('The rules have an answer for everything that happens')),
      `NOT CAUGHT ${mutant}: The rules have an answer for everything that happens`,
    ],
    [
      'another rule catches it',
      entry('mutant', mutant, WHOLE, broken('Rule 14: x')),
      `NOT CAUGHT ${mutant}: Rule 14: x`,
    ],
    [
      'the rules as they are break something where it is planted',
      entry('mutant', mutant, broken('Rule 3: x'), broken('Rule 3: x')),
      `BROKEN ${mutant}: Rule 3: x`,
    ],
  ])('where %s', (_where, one, line) => {
    expect(failures([entry('scenario', scenario), one])).toEqual([line]);
  });
});

test('what is explored up to a stated bound is said to be, and does not fail', () => {
  const one = entry('scenario', bounded, { ...WHOLE, complete: false });
  expect(failures([one])).toEqual([]);
  expect(report([one])).toContain(`  ${bounded} (up to this bound)`);
});

test('the last line counts', () => {
  const caught = entry('mutant', mutant, WHOLE, broken('Rule 3: nothing is sent after its deadline'));
  const entries = [entry('scenario', scenario), entry('scenario', scenario, broken('Rule 2: one')), caught];
  expect(sumLine([...entries, entry('mutant', mutant, WHOLE, WHOLE)])).toBe(
    'model: 20 distinct states, 40 transitions, 1 violations, 1 of 2 mutants caught',
  );
  expect(report(entries)).toMatch(/no send deadline +2 {2}Rule 3: nothing is sent after its deadline/);
});
