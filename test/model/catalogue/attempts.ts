import { ONE_CALL } from '../../../src/testing/explorer/scenario';
import { EVERYTHING } from './calls';
import { entry, type ScenarioEntry } from './entry';
import { PROMISES } from './kinds';

const ONE = { calls: ONE_CALL };

/** Temporal's retries of one call: the older attempt is frozen, and wakes at any time. */
export const ATTEMPTS: readonly ScenarioEntry[] = [
  entry('quick', 'two attempts of a call', ONE, { overlaps: 1, losses: 1, crashes: 1 }),
  entry(
    'quick',
    'turned away',
    { ...ONE, activityAttempts: 3, behaviours: ['turns-away'] },
    { overlaps: 1, faults: 2 },
  ),
  entry(
    'usual',
    'frozen past the send deadline',
    { ...ONE, moments: ['send deadline', 'nothing arrives any more'] },
    { overlaps: 1, losses: 1, jumps: 1 },
  ),
  entry(
    'usual',
    'two frozen past the send deadline',
    { ...ONE, activityAttempts: 3, moments: ['send deadline', 'nothing arrives any more'] },
    { overlaps: 2, losses: 1, jumps: 1 },
  ),
  entry(
    'usual',
    'the window and the clock',
    { ...ONE, moments: ['last resend', 'resends end', 'key forgotten'] },
    { crashes: 1, losses: 1, jumps: 2, setBacks: 1 },
  ),
  entry('quick', 'closed meanwhile', { ...ONE, behaviours: ['turns-away'] }, { overlaps: 1, closings: 1, faults: 1 }),
  entry('quick', 'refused meanwhile', ONE, { overlaps: 1, closings: 1, refusals: 1 }),
  entry('usual', 'two attempts and another call', {}, { overlaps: 1 }),
  entry('usual', 'two attempts, another call and a loss', {}, { overlaps: 1, losses: 1 }),
  ...PROMISES.map(([promise, contract]) =>
    entry(
      'usual',
      `zombies, ${promise}`,
      { ...ONE, contract, behaviours: EVERYTHING, activityAttempts: 3, moments: ['send deadline', 'answer overdue'] },
      { overlaps: 1, faults: 1, losses: 1, jumps: 1 },
    ),
  ),
  ...PROMISES.map(([promise, contract]) =>
    entry(
      'deep',
      `zombies and deaths, ${promise}`,
      { ...ONE, contract, behaviours: EVERYTHING, activityAttempts: 3, moments: ['send deadline', 'answer overdue'] },
      { overlaps: 2, faults: 1, losses: 1, jumps: 2, crashes: 1 },
      3_000_000,
    ),
  ),
];
