import { ATTEMPTS } from './attempts';
import { CALLS } from './calls';
import type { ScenarioEntry, WalkEntry } from './entry';
import { PEOPLE } from './people';
import { RECONCILIATION } from './reconciliation';
import { WALKS } from './walks';

export { WALKS };
export const SCENARIOS: readonly ScenarioEntry[] = [...CALLS, ...ATTEMPTS, ...PEOPLE, ...RECONCILIATION];

export function findScenario(name: string): ScenarioEntry | undefined {
  return SCENARIOS.find(({ scenario }) => scenario.name === name);
}

export function findWalk(name: string): WalkEntry | undefined {
  return WALKS.find(({ scenario }) => scenario.name === name);
}
