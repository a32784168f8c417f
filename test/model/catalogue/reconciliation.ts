import { CONTRACTS, ONE_CALL, TWO_CALLS } from '../../../src/testing/explorer/scenario';
import { EVERYTHING } from './calls';
import { entry, type ScenarioEntry } from './entry';
import { PROMISES } from './kinds';

const ONE = { calls: ONE_CALL, activityAttempts: 1 } as const;

/** Reconciliation beside calls, itself, people and webhooks, at any time. */
export const RECONCILIATION: readonly ScenarioEntry[] = [
  ...PROMISES.flatMap(([promise, contract]) => {
    const overdue = { ...ONE, contract, behaviours: EVERYTHING, moments: ['answer overdue'] } as const;
    const budget = { reconciliations: 1, losses: 1, faults: 1, jumps: 1 };
    const proves = typeof contract.absence !== 'string';
    return [
      // Proof of absence has its own moment, below.
      ...(proves
        ? []
        : [
            entry('quick', `reconciled, ${promise}`, overdue, budget),
            entry('quick', `reconciled, not asked, ${promise}`, { ...overdue, hasQuery: false }, budget),
          ]),
      entry(
        'usual',
        `reconciled twice, ${promise}`,
        { ...overdue, moments: proves ? ['absence is proof'] : ['answer overdue'] },
        { ...budget, reconciliations: 2 },
      ),
    ];
  }),
  entry('quick', 'two reconciliations', ONE, { reconciliations: 2, losses: 2, blindQueries: 1, crashes: 1 }),
  entry('quick', 'reconciliation dies', ONE, { reconciliations: 2, losses: 1, crashes: 1 }),
  entry(
    'usual',
    'reconciliation freezes',
    { ...ONE, moments: ['send deadline', 'answer overdue', 'nothing arrives any more'] },
    { reconciliations: 1, losses: 1, jumps: 2 },
  ),
  entry('quick', 'reconciliation and a call', { activityAttempts: 1 }, { reconciliations: 1, losses: 1 }),
  entry(
    'usual',
    'reconciliation, a call and deaths',
    { activityAttempts: 1 },
    { reconciliations: 1, losses: 1, crashes: 1 },
  ),
  entry(
    'quick',
    'reconciled at its end',
    { ...ONE, moments: ['last resend', 'resends end', 'key forgotten'] },
    { reconciliations: 1, losses: 1, jumps: 2 },
  ),
  entry(
    'quick',
    'pending too long',
    { ...ONE, moments: ['pending too long'], behaviours: ['pends'] },
    { reconciliations: 1, faults: 1, jumps: 1, losses: 1 },
  ),
  entry(
    'quick',
    'a person is called',
    { ...ONE, contract: CONTRACTS.noKey, hasQuery: false, moments: ['a person is called'] },
    { reconciliations: 2, losses: 1, jumps: 1, acts: 1 },
  ),
  ...PROMISES.filter(([, { absence }]) => typeof absence !== 'string').map(([promise, contract]) =>
    entry(
      'quick',
      `reconciled by proof, ${promise}`,
      { ...ONE, contract, moments: ['absence is proof'] },
      { reconciliations: 2, losses: 1, jumps: 1, blindQueries: 1 },
    ),
  ),
  entry(
    'quick',
    'left behind',
    { ...ONE, moments: ['left behind'], behaviours: ['turns-away'] },
    { reconciliations: 1, faults: 1, jumps: 2, crashes: 1 },
  ),
  entry('quick', 'paused', { activityAttempts: 1 }, { reconciliations: 1, pauses: 1 }),
  entry(
    'quick',
    'paused twice',
    { ...ONE, behaviours: ['turns-away'] },
    { reconciliations: 2, pauses: 2, losses: 1, faults: 1 },
  ),
  entry('quick', 'judged and reconciled', ONE, { reconciliations: 1, losses: 1, acts: 2, webhooks: 1, bounces: 1 }),
  entry(
    'quick',
    'a conflict, reconciled',
    { calls: TWO_CALLS.map((call, index) => ({ ...call, intent: `{"quantity":${index + 1}}` })), activityAttempts: 1 },
    { reconciliations: 1, losses: 1 },
  ),
];
