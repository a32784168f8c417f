import type { Engine } from '../../../src/testing/explorer/engine';
import type { Scenario } from '../../../src/testing/explorer/scenario';

/** A planted mistake, and a scenario in which the rules as they are break nothing. */
export interface Mutant {
  /** What is wrong, as it would stand in a review. */
  readonly name: string;
  /** The rule that has to catch it. */
  readonly caughtBy: RegExp;
  readonly scenario: Scenario;
  /** The mistake as functions of one of the product's modules that are replaced by others … */
  readonly patch?: Patch;
  /** … or around the rules as the explorer calls them. */
  readonly engine?: (product: Engine) => Engine;
}

export interface Patch {
  /** Below src. */
  readonly module: string;
  readonly change: (actual: object) => object;
}

/** A patch whose module is known to the compiler. */
export function patchOf<Module extends object>(
  module: string,
  change: (actual: Module) => Partial<Module>,
): Pick<Mutant, 'patch'> {
  return { patch: { module, change: (actual) => change(actual as Module) } };
}
