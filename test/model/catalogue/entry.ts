import type { Budget, Scenario } from '../../../src/testing/explorer/scenario';
import type { Level } from '../arguments';
import { scenarioOf } from '../scenario-of';
import { kindOf } from './kinds';

export interface ScenarioEntry {
  readonly scenario: Scenario;
  readonly level: Level;
  /** What the provider promises, in words. */
  readonly kind: string;
  /** Only so many worlds of it are explored; where it is left out, all. */
  readonly maxStates?: number;
}

export interface WalkEntry {
  readonly scenario: Scenario;
  readonly level: Level;
  readonly walks: number;
  readonly seed: number;
}

/** A scenario of this level; what is not named does not happen in it. */
export function entry(
  level: Level,
  name: string,
  parts: Partial<Scenario>,
  budget: Partial<Budget>,
  maxStates?: number,
): ScenarioEntry {
  const scenario = scenarioOf(name, parts, budget);
  return { scenario, level, kind: kindOf(scenario), ...(maxStates === undefined ? {} : { maxStates }) };
}
