import { ONE_CALL } from '../../../src/testing/explorer/scenario';
import type { Catalogue } from '../catalogue-module';
import { inEngine, type Mutant, where } from '../mutant';

const scenario = where('one call alone', { calls: ONE_CALL }, {});

/** One that is no mistake, one that is caught by another rule than expected, and one whose engine merely throws. */
const MUTANTS: readonly Mutant[] = [
  { id: 'none', planted: 'nothing', breaks: ['Rule 1'], scenario, plant: inEngine((engine) => engine) },
  {
    id: 'another-rule',
    planted: 'nobody hears of a settlement',
    breaks: ['Rule 1:'],
    scenario,
    plant: inEngine((engine) => ({ ...engine, announcementsOf: () => [] })),
  },
  {
    id: 'crash',
    planted: 'the engine throws',
    breaks: ['The rules have an answer for everything that happens'],
    scenario,
    plant: inEngine((engine) => ({
      ...engine,
      step: () => {
        throw new Error('Bug: planted.');
      },
    })),
  },
];

export const CATALOGUE: Catalogue = { entriesOf: () => [], mutants: MUTANTS, walksOf: () => [], tooMany: 10_000 };
