import { CONTRACTS, ONE_CALL } from '../../../src/testing/explorer/scenario';
import { entry, type ScenarioEntry } from './entry';
import { PROMISES } from './kinds';

const JUDGED = { moments: ['nothing arrives any more'], activityAttempts: 1 } as const;

/** A person at any time: their word is true, or refused where queries could know better. */
export const PEOPLE: readonly ScenarioEntry[] = [
  entry('quick', 'a person judges', JUDGED, { losses: 1, jumps: 1, acts: 1 }),
  entry(
    'quick',
    'a person looks and judges',
    { ...JUDGED, calls: ONE_CALL },
    { losses: 1, jumps: 1, acts: 2, looks: 1 },
  ),
  entry(
    'usual',
    'a person alone judges',
    { ...JUDGED, contract: CONTRACTS.noKey, hasQuery: false },
    { losses: 1, jumps: 1, acts: 2 },
  ),
  entry('quick', 'a stranger bears our ID', { activityAttempts: 1 }, { losses: 1, strangers: 1, acts: 1 }),
  ...PROMISES.map(([promise, contract]) =>
    entry(
      'usual',
      `a person looks, judges and is told, ${promise}`,
      { ...JUDGED, contract, behaviours: ['pends', 'errs-without-effect'] },
      { losses: 1, jumps: 1, acts: 1, looks: 1 },
    ),
  ),
  entry('usual', 'a person judges what comes back', JUDGED, { losses: 1, jumps: 1, acts: 2, bounces: 1, webhooks: 1 }),
];
