import { type Behaviour, ONE_CALL, TWINS, TWO_CALLS } from '../../../src/testing/explorer/scenario';
import { entry, type ScenarioEntry } from './entry';
import { PROMISES } from './kinds';

export const EVERYTHING: readonly Behaviour[] = [
  'pends',
  'fails',
  'refuses',
  'refuses-early',
  'turns-away',
  'errs-with-effect',
  'errs-without-effect',
  'breaks',
];

const DIFFERENT = TWO_CALLS.map((call, index) => ({ ...call, intent: `{"quantity":${index + 1}}` }));
const THIRD = { name: 'C', session: 'chat-1', planned: 'any', intent: '{"quantity":1}' } as const;
export const THREE_CALLS = [...TWO_CALLS, THIRD];

/** Two or three calls of one or two sessions: everything the provider and the network may do to them. */
export const CALLS: readonly ScenarioEntry[] = [
  ...PROMISES.flatMap(([promise, contract]) =>
    [true, false].flatMap((hasQuery) => {
      const asked = hasQuery ? 'asked' : 'not asked';
      const parts = { contract, hasQuery, behaviours: EVERYTHING };
      // Without a query nobody sees whether absence would be proof.
      if (!hasQuery && typeof contract.absence !== 'string') return [];
      return [
        entry('quick', `errors, ${promise}, ${asked}`, { ...parts, activityAttempts: 1 }, { faults: 1, losses: 1 }),
        entry('usual', `errors and retries, ${promise}, ${asked}`, parts, { faults: 1, losses: 1 }),
        entry('usual', `two errors, ${promise}, ${asked}`, parts, { faults: 2 }),
        entry('usual', `deaths, ${promise}, ${asked}`, parts, { faults: 1, crashes: 1 }),
        entry(
          'usual',
          `webhooks, ${promise}, ${asked}`,
          { ...parts, activityAttempts: 1 },
          { faults: 1, webhooks: 1, losses: 1 },
        ),
        entry('deep', `two errors and losses, ${promise}, ${asked}`, parts, { faults: 2, losses: 2 }, 3_000_000),
        entry(
          'deep',
          `deaths and losses, ${promise}, ${asked}`,
          parts,
          { faults: 1, losses: 1, crashes: 1 },
          3_000_000,
        ),
      ];
    }),
  ),
  entry('quick', 'a worker dies at any step', {}, { crashes: 1, losses: 1 }),
  entry('usual', 'workers die at any two steps', {}, { crashes: 2, losses: 1 }),
  entry(
    'quick',
    'late answers',
    {
      moments: ['answer overdue', 'last arrival'],
      behaviours: ['refuses', 'errs-without-effect'],
      activityAttempts: 1,
    },
    { faults: 1, jumps: 1 },
  ),
  entry(
    'usual',
    'late answers and lost ones',
    { moments: ['answer overdue', 'last arrival'], behaviours: ['refuses'] },
    { faults: 1, jumps: 1, losses: 1 },
  ),
  entry('usual', 'the window ends', { moments: ['resends end', 'key forgotten'] }, { losses: 1, jumps: 1 }),
  entry(
    'usual',
    'the window ends, and the clock is set back',
    { moments: ['resends end', 'key forgotten'] },
    { losses: 1, jumps: 2, setBacks: 1 },
  ),
  ...PROMISES.filter(([, { absence }]) => typeof absence !== 'string').map(([promise, contract]) =>
    entry(
      'quick',
      `absence is proof, ${promise}`,
      { contract, moments: ['absence is proof'], activityAttempts: 1 },
      { losses: 1, jumps: 1, blindQueries: 1 },
    ),
  ),
  entry(
    'quick',
    'a call is closed',
    { activityAttempts: 1, behaviours: ['turns-away'] },
    { closings: 1, faults: 1, losses: 1 },
  ),
  entry('quick', 'twins', { calls: TWINS, activityAttempts: 1 }, { refusals: 1, closings: 1 }),
  entry('usual', 'twins and losses', { calls: TWINS }, { losses: 2 }),
  entry('quick', 'a conflict', { calls: DIFFERENT, behaviours: ['turns-away', 'refuses'] }, { faults: 2 }),
  entry('quick', 'webhooks', { behaviours: ['fails', 'refuses'] }, { faults: 1, losses: 1, webhooks: 1 }),
  entry(
    'quick',
    'webhooks without keys',
    { behaviours: ['fails', 'refuses'], tellsKeys: false },
    { faults: 1, losses: 1, webhooks: 1 },
  ),
  entry(
    'usual',
    'two webhooks',
    { behaviours: ['pends', 'fails'], activityAttempts: 1 },
    { faults: 1, losses: 1, webhooks: 2 },
  ),
  entry('quick', 'looks', { activityAttempts: 1 }, { looks: 1, losses: 1 }),
  entry(
    'quick',
    'looks at what is pending',
    { calls: ONE_CALL, behaviours: ['pends'] },
    { faults: 1, looks: 1, losses: 1 },
  ),
  entry('quick', 'cut commits', { behaviours: ['turns-away'] }, { faults: 1, cutCommits: 1, losses: 1 }),
  entry('quick', 'a refund comes back', { activityAttempts: 1 }, { bounces: 1, webhooks: 1, losses: 1, acts: 1 }),
  entry('quick', 'another tenant in the same account', { sharedAccount: true }, { losses: 1 }),
  entry('quick', 'three calls', { calls: THREE_CALLS, activityAttempts: 1, behaviours: ['refuses'] }, { faults: 1 }),
  entry('usual', 'three calls and a loss', { calls: THREE_CALLS, activityAttempts: 1 }, { losses: 1 }),
  entry(
    'deep',
    'three calls, errors and losses',
    { calls: THREE_CALLS, activityAttempts: 1, behaviours: EVERYTHING },
    { faults: 1, losses: 1 },
    3_000_000,
  ),
  entry('quick', 'queries lag or break off', { activityAttempts: 1 }, { losses: 1, blindQueries: 2 }),
  entry('usual', 'queries lag or break off, and workers die', {}, { losses: 1, blindQueries: 1, crashes: 1 }),
];
