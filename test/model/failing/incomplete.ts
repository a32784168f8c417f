import type { Entry } from '../catalogue';
import type { Catalogue } from '../catalogue-module';
import { scenarioWith } from '../scenario-with';
import { EVERYTHING } from '../theme';

const scenario = scenarioWith('far too much at once', { behaviours: EVERYTHING }, { faults: 2, losses: 2, crashes: 2 });
const common = { kind: 'every-answer', scenario, about: scenario.name } as const;
const ENTRIES: readonly Entry[] = [
  { id: 'stated/every-answer', ...common, bound: 300, reaches: null },
  { id: 'unstated/every-answer', ...common, bound: null, reaches: null },
];

/** `stated` has a bound; `unstated` promises to be complete and is stopped by `tooMany`. */
export const CATALOGUE: Catalogue = { entriesOf: () => ENTRIES, mutants: [], walksOf: () => [], tooMany: 300 };
