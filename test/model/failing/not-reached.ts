import { ONE_CALL } from '../../../src/testing/explorer/scenario';
import type { Catalogue } from '../catalogue-module';
import { scenarioWith } from '../scenario-with';

const scenario = scenarioWith('one call alone', { calls: ONE_CALL }, {});
const entry = {
  id: 'alone/every-answer',
  kind: 'every-answer',
  about: scenario.name,
  bound: null,
  reaches: 'conflict',
};

/** What it is about cannot happen in it. */
export const CATALOGUE: Catalogue = {
  entriesOf: () => [{ ...entry, scenario }],
  mutants: [],
  walksOf: () => [],
  tooMany: 10_000,
};
