import type { KeyWindow } from '../../../src/operations/contract';
import { milliseconds } from '../../../src/operations/time';
import { CONTRACTS, ONE_CALL } from '../../../src/testing/explorer/scenario';
import type { Catalogue } from '../catalogue-module';
import { scenarioWith } from '../scenario-with';

const key: KeyWindow = {
  window: milliseconds(140),
  margin: milliseconds(0),
  maxLength: 255,
  replays: 'every-answer',
};

/** A contract that lies: its margin has no room for what is still under way. `checkContract` refuses it. */
const scenario = scenarioWith(
  'the margin is too short',
  {
    contract: { ...CONTRACTS.everyAnswer, key },
    hasQuery: false,
    calls: ONE_CALL,
    moments: ['last resend', 'last arrival'],
  },
  { crashes: 1, jumps: 2 },
);
const entry = { id: 'broken/every-answer', kind: 'every-answer', about: scenario.name, bound: null, reaches: null };

export const CATALOGUE: Catalogue = {
  entriesOf: () => [{ ...entry, scenario }],
  mutants: [],
  walksOf: () => [],
  tooMany: 10_000,
};
