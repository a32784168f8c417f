import { CONTRACTS } from '../../../src/testing/explorer/scenario';
import { scenarioOf } from '../scenario-of';
import { EVERYTHING, THREE_CALLS } from './calls';
import type { WalkEntry } from './entry';

/** More mishaps in one trace than can be explored. */
const MANY = {
  crashes: 2,
  overlaps: 2,
  losses: 2,
  faults: 2,
  jumps: 4,
  blindQueries: 1,
  closings: 1,
  refusals: 1,
  looks: 2,
  webhooks: 2,
  acts: 2,
  setBacks: 1,
  bounces: 1,
  strangers: 1,
  cutCommits: 1,
  reconciliations: 3,
  pauses: 2,
};

/** The seeds are fixed, so that every run walks the same ways. */
export const WALKS: readonly WalkEntry[] = (
  [
    ['every answer is stored', CONTRACTS.everyAnswer, true, 912],
    ['absence is proof', CONTRACTS.provenAbsence, true, 1043],
    ['successes are stored, and nobody can be asked', CONTRACTS.successesAreEffects, false, 77],
    ['the latest status is told', CONTRACTS.latestStatus, true, 7],
    ['there is no key, and nobody can be asked', CONTRACTS.noKey, false, 3],
  ] as const
).flatMap(([name, contract, hasQuery, seed]): WalkEntry[] => {
  const parts = {
    calls: THREE_CALLS,
    contract,
    hasQuery,
    tellsKeys: seed % 2 === 0,
    activityAttempts: 3,
    behaviours: [...EVERYTHING, 'answers-another'] as const,
  };
  const walk = (level: WalkEntry['level'], which: string, walks: number, from: number) => ({
    scenario: scenarioOf(`${which} where ${name}`, parts, MANY),
    level,
    walks,
    seed: from,
  });
  return [
    walk('quick', 'some walks', 200, seed),
    walk('usual', 'walks', 2_000, seed + 10_000),
    walk('deep', 'many walks', 40_000, seed + 20_000),
  ];
});
