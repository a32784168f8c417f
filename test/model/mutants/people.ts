import { ONE_CALL } from '../../../src/testing/explorer/scenario';
import { scenarioOf } from '../scenario-of';
import { withEngine } from './engines';
import { type Mutant, patchOf } from './mutant';
import { LOST, LOST_WITHOUT_KEY } from './scenes';

const SAYS_NONE = scenarioOf('a person says none', { calls: ONE_CALL }, { acts: 1, looks: 1, losses: 1 });

/** Mistakes about people, and about who is told what. */
export const PEOPLE: readonly Mutant[] = [
  {
    name: "a person's word that rests on a look before everything had arrived",
    caughtBy: /^Rule 12:/,
    scenario: scenarioOf('a person says none', { calls: ONE_CALL }, { acts: 1, looks: 1, overlaps: 1 }),
    ...patchOf<typeof import('../../../src/operations/absence')>('operations/absence', () => ({
      isCompleteLook: () => true,
    })),
  },
  {
    name: "a person's word without a query",
    caughtBy: /^Rule 12:/,
    scenario: { ...SAYS_NONE, moments: ['nothing arrives any more'], budget: { ...SAYS_NONE.budget, jumps: 1 } },
    ...withEngine((product) => ({
      resolve: (operation, events, resolution) => product.resolve(operation, events, resolution, false),
    })),
  },
  {
    name: 'an operation that nobody can end',
    caughtBy: /^Rule 14:/,
    scenario: LOST_WITHOUT_KEY,
    ...withEngine(() => ({ resolve: () => ({ kind: 'refused', why: 'No.', evidence: [], lookAfter: null }) })),
  },
  {
    name: 'a closed call whose session is forgotten',
    caughtBy: /^Told later, once: whoever is told something unfinished/,
    scenario: scenarioOf('a call is closed', { activityAttempts: 1 }, { closings: 1 }),
    ...withEngine((product) => ({
      closingEvents: (...all) => product.closingEvents(...all).filter(({ kind }) => kind !== 'told'),
    })),
  },
  {
    name: 'a settlement that nobody hears of',
    caughtBy: /^Told later, once: whoever waits hears how it ends/,
    scenario: LOST,
    ...withEngine(() => ({ announcementsOf: () => [] })),
  },
  {
    name: 'a settlement that is heard of twice',
    caughtBy: /^Told later, once: whoever waits hears how it ends/,
    scenario: LOST,
    ...withEngine((product) => ({
      announcementsOf: (...all) => product.announcementsOf(...all).flatMap((row) => [row, row]),
    })),
  },
];
