import {
  type Budget,
  CONTRACTS,
  LIMITS,
  MOMENTS,
  NO_MISHAPS,
  type Scenario,
  TWO_CALLS,
} from '../../src/testing/explorer/scenario';

/** A scenario on the provider that most promises are about; what is not named does not happen. */
export function scenarioWith(name: string, parts: Partial<Scenario>, budget: Partial<Budget>): Scenario {
  return {
    name,
    contract: CONTRACTS.everyAnswer,
    hasQuery: true,
    calls: TWO_CALLS,
    activityAttempts: 2,
    limits: LIMITS,
    behaviours: [],
    tellsKeys: true,
    moments: MOMENTS,
    ...parts,
    budget: { ...NO_MISHAPS, ...budget },
  };
}
