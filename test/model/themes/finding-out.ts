import { ONE_CALL } from '../../../src/testing/explorer/scenario';
import { hasKey, hasQuery, provesAbsence } from '../kinds';
import type { Theme } from '../theme';

const HERE = ['every-answer+query'] as const;

/** Queries, webhooks and the moments at which a rule turns. */
export const FINDING_OUT: readonly Theme[] = [
  {
    id: 'window-ends',
    about: 'the window of the key ends and the provider forgets it',
    parts: { moments: ['resends end', 'key forgotten'] },
    budget: { losses: 1, jumps: 1 },
    at: hasKey,
    quick: ['every-answer'],
    deeper: { jumps: 1 },
  },
  {
    id: 'absence-is-proof',
    about: 'absence becomes proof while queries lag',
    parts: { moments: ['absence is proof'], activityAttempts: 1 },
    budget: { losses: 1, jumps: 1, blindQueries: 1 },
    at: provesAbsence,
    quick: ['no-key+proof'],
    deeper: { losses: 1, looks: 1 },
  },
  {
    id: 'blind-queries',
    about: 'queries lag behind, break off or show a part only',
    parts: { activityAttempts: 1 },
    budget: { losses: 1, blindQueries: 2, looks: 1 },
    at: hasQuery,
    deeper: { crashes: 1 },
  },
  {
    id: 'looks',
    about: 'somebody looks meanwhile',
    parts: { activityAttempts: 1 },
    budget: { looks: 1, losses: 1 },
    at: hasQuery,
    quick: ['no-key+query'],
    deeper: { looks: 1 },
  },
  {
    id: 'looks-at-pending',
    about: 'somebody looks at what is pending',
    parts: { calls: ONE_CALL, behaviours: ['pends'] },
    budget: { faults: 1, looks: 1, losses: 1 },
    at: hasQuery,
    quick: HERE,
    deeper: { looks: 1, jumps: 1 },
  },
  {
    id: 'webhooks',
    about: 'webhooks come at any time and more than once',
    parts: { behaviours: ['pends', 'fails', 'refuses'] },
    budget: { faults: 1, losses: 1, webhooks: 1 },
    quick: HERE,
    deeper: { webhooks: 1 },
  },
  {
    id: 'webhooks-without-keys',
    about: 'webhooks do not tell their keys',
    parts: { behaviours: ['pends', 'fails', 'refuses'], tellsKeys: false },
    budget: { faults: 1, losses: 1, webhooks: 1 },
    quick: ['latest-status+query'],
    deeper: { webhooks: 1 },
  },
  {
    id: 'comes-back',
    about: 'a refund comes back after it succeeded',
    parts: { activityAttempts: 1 },
    budget: { bounces: 1, webhooks: 1, losses: 1, acts: 1 },
    quick: HERE,
    deeper: { reconciliations: 1 },
  },
  {
    id: 'another-object',
    about: 'our key is answered with something that is not ours',
    parts: { activityAttempts: 1, behaviours: ['answers-another'] },
    budget: { faults: 1, losses: 1, acts: 1 },
    quick: HERE,
    deeper: { webhooks: 1, looks: 1 },
  },
  {
    id: 'stranger',
    about: "somebody else's object bears our operation ID",
    parts: { activityAttempts: 1 },
    budget: { losses: 1, strangers: 1, acts: 1 },
    quick: HERE,
    deeper: { webhooks: 1 },
  },
];
