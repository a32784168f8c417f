import type { Outcome } from '../../../src/operations/outcome';
import type { Step } from '../../../src/operations/stepper';
import type { Engine } from '../../../src/testing/explorer/engine';
import type { Mutant } from './mutant';

/** The product's rules, told something else than what the provider answered. */
export function withOutcomes(change: (outcome: Outcome) => Outcome): Required<Pick<Mutant, 'engine'>> {
  return {
    engine: (product) => ({
      ...product,
      step: (setup, state, result) =>
        product.step(
          setup,
          state,
          result.kind === 'answered' ? { ...result, outcome: change(result.outcome) } : result,
        ),
    }),
  };
}

/** The product's rules, whose next command is another. */
export function withSteps(change: (step: Step, callId: string) => Step): Required<Pick<Mutant, 'engine'>> {
  return {
    engine: (product) => ({
      ...product,
      step: (setup, state, result) => change(product.step(setup, state, result), setup.call.callId),
    }),
  };
}

export function withEngine(change: (product: Engine) => Partial<Engine>): Required<Pick<Mutant, 'engine'>> {
  return { engine: (product) => ({ ...product, ...change(product) }) };
}
