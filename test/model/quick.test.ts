// Needs nothing.
import { MUTANTS } from './all-mutants';
import { type Checked, check } from './check';
import type { Found } from './task';
import type { Theme } from './theme';
import { CALLS } from './themes/calls';
import { FINDING_OUT } from './themes/finding-out';
import { FROZEN } from './themes/frozen';
import { PEOPLE } from './themes/people';
import { RECONCILING } from './themes/reconciling';
import { sumLine } from './verdict';
import { walksOf } from './walks';

/** The check itself, its quick part: `npm run model -- --quick`. */
let checked: Checked;

beforeAll(async () => {
  checked = await check(require.resolve('./whole'), { level: 'quick', only: null });
}, 600_000);

afterAll(() => {
  process.stdout.write(`${sumLine(checked)}\n`);
});

/** At least one scenario of the theme was explored, none breaks a rule, and all of each was looked at. */
function expectNothingBroken({ id }: Theme): void {
  const own = checked.scenarios.map(({ found }) => found).filter(({ task }) => task.id.startsWith(`${id}/`));
  expect(own).not.toEqual([]);
  expect(own.flatMap(stories)).toEqual([]);
  expect(own.filter(({ incomplete }) => incomplete !== null)).toEqual([]);
}

function stories({ violation }: Found): string[] {
  return violation === null ? [] : [violation.story];
}

const quick = (theme: Theme) => (theme.quick ?? []).length > 0;

describe('no interleaving of calls breaks a rule', () => {
  test.each(CALLS.filter(quick))('when $about', expectNothingBroken);
});

describe('no interleaving of frozen and woken attempts of one call breaks a rule', () => {
  test.each(FROZEN.filter(quick))('when $about', expectNothingBroken);
});

describe('no interleaving with queries, webhooks and time breaks a rule', () => {
  test.each(FINDING_OUT.filter(quick))('when $about', expectNothingBroken);
});

describe('no interleaving with people breaks a rule', () => {
  test.each(PEOPLE.filter(quick))('when $about', expectNothingBroken);
});

describe('no interleaving of reconciliation with calls breaks a rule', () => {
  test.each(RECONCILING.filter(quick))('when $about', expectNothingBroken);
});

describe('random walks through three calls and many mishaps break no rule', () => {
  test.each(walksOf('quick'))('$scenario.name', ({ id }) => {
    const own = checked.walks.filter(({ task }) => task.id === id);
    expect(own).toHaveLength(1);
    expect(own.flatMap(stories)).toEqual([]);
  });
});

describe('of the planted mistakes', () => {
  test('there are at least thirty, each of its own name', () => {
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
    expect(MUTANTS.length).toBeGreaterThanOrEqual(30);
  });

  test.each(MUTANTS)('$planted → caught', (mutant) => {
    const own = checked.mutants.find(({ mutant: { id } }) => id === mutant.id);
    expect(own?.found.violation?.rules[0] ?? 'nothing').toMatch(ruleOf(mutant.breaks));
    expect(own?.caught).toBe(true);
  });

  test('none is found where it was not planted', () => {
    expect(checked.controls.length).toBeGreaterThan(20);
    expect(checked.controls.flatMap(stories)).toEqual([]);
    expect(checked.controls.filter(({ incomplete }) => incomplete !== null)).toEqual([]);
  });
});

function ruleOf(breaks: readonly string[]): RegExp {
  return new RegExp(`^(${breaks.map((rule) => rule.replace(/[.*+?()[\]{}|^$\\]/g, '\\$&')).join('|')})`);
}
