import type { Outcome } from '../../src/operations/outcome';
import type { Step } from '../../src/operations/stepper';
import type { Engine } from '../../src/testing/explorer/engine';
import type { Budget, Scenario } from '../../src/testing/explorer/scenario';
import { scenarioWith } from './scenario-with';

/** A planted mistake. The check is worth what it finds: each of these must be found, and by a rule it breaks. */
export interface Mutant {
  readonly id: string;
  /** What was planted, in the words of somebody who would do so. */
  readonly planted: string;
  /** The rules that may find it, by the beginning of their names. */
  readonly breaks: readonly string[];
  /** Where it is found. The control: without the mistake nothing is found there. */
  readonly scenario: Scenario;
  readonly plant: Plant;
}

/** Where the mistake sits: in one module of the product, or between the product and the explorer. */
export type Plant =
  | { readonly kind: 'module'; readonly module: string; readonly patch: (actual: object) => object }
  | { readonly kind: 'engine'; readonly change: (engine: Engine) => Engine };

/** Functions of one module of `src` are replaced before anything that uses them is loaded. */
export function inModule<Module extends object>(module: string, patch: (actual: Module) => Partial<Module>): Plant {
  return { kind: 'module', module, patch: (actual) => patch(actual as Module) };
}

export function inEngine(change: (engine: Engine) => Engine): Plant {
  return { kind: 'engine', change };
}

/** Where the answer is changed on its way to the engine. */
export function inOutcomes(change: (outcome: Outcome) => Outcome): Plant {
  return inEngine((engine) => ({
    ...engine,
    step: (setup, state, result) =>
      engine.step(setup, state, result.kind === 'answered' ? { ...result, outcome: change(result.outcome) } : result),
  }));
}

/** Where the engine's next command is another. */
export function inSteps(change: (step: Step, callId: string) => Step): Plant {
  return inEngine((engine) => ({
    ...engine,
    step: (setup, state, result) => change(engine.step(setup, state, result), setup.call.callId),
  }));
}

/** Where a mutant is looked for: its name says what happens there. */
export function where(what: string, parts: Partial<Scenario>, budget: Partial<Budget>): Scenario {
  return scenarioWith(what, parts, budget);
}
