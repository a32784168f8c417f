import { ONE_CALL } from '../../../src/testing/explorer/scenario';
import { hasQuery } from '../kinds';
import type { Theme } from '../theme';

const HERE = ['every-answer+query'] as const;

/** People act at any time. */
export const PEOPLE: readonly Theme[] = [
  {
    id: 'person-judges',
    about: 'a person judges at any time',
    parts: { moments: ['nothing arrives any more'], activityAttempts: 1 },
    budget: { losses: 1, jumps: 1, acts: 1 },
    quick: ['every-answer'],
    deeper: { acts: 1 },
  },
  {
    id: 'person-looks',
    about: 'a person looks and judges, and judges again',
    parts: { calls: ONE_CALL, moments: ['nothing arrives any more'], activityAttempts: 1 },
    budget: { losses: 1, jumps: 1, acts: 2, looks: 1 },
    quick: [...HERE, 'no-key'],
    deeper: { webhooks: 1, looks: 1 },
  },
  {
    id: 'person-gives-leave',
    about: 'a person says none and gives leave to send again',
    parts: { moments: ['nothing arrives any more'], activityAttempts: 1 },
    budget: { losses: 1, jumps: 1, acts: 1, looks: 1 },
    at: (kind) => !kind.hasQuery,
    deeper: { webhooks: 1 },
  },
  {
    id: 'person-asks-and-gives-leave',
    about: 'a person asks, says none and gives leave to send again',
    parts: { moments: ['nothing arrives any more'], activityAttempts: 1 },
    budget: { losses: 1, jumps: 1, acts: 1, looks: 1 },
    at: hasQuery,
    isDeepOnly: true,
  },
];
