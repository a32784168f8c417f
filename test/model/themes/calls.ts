import { TWINS, TWO_CALLS } from '../../../src/testing/explorer/scenario';
import { KINDS } from '../kinds';
import { EVERYTHING, SOME, type Theme } from '../theme';

const THREE_CALLS = [...TWO_CALLS, { name: 'C', session: 'chat-1', planned: 'any', intent: '{"quantity":1}' }] as const;

/** Two calls or three of one or two sessions. */
export const CALLS: readonly Theme[] = [
  {
    id: 'errors',
    about: 'the provider errs once and a request or an answer is lost',
    parts: { behaviours: EVERYTHING },
    budget: { faults: 1, losses: 1 },
    quick: KINDS.map(({ id }) => id),
    deeper: { faults: 1 },
  },
  {
    id: 'two-errors',
    about: 'the provider errs twice',
    parts: { behaviours: EVERYTHING },
    budget: { faults: 2 },
    deeper: { crashes: 1 },
  },
  {
    id: 'worker-dies',
    about: 'a worker dies at any step',
    parts: {},
    budget: { crashes: 1, losses: 1 },
    quick: SOME,
    deeper: { crashes: 1 },
  },
  {
    id: 'late-answers',
    about: 'answers come late, or after the operation was found out',
    parts: {
      moments: ['answer overdue', 'last arrival'],
      behaviours: ['refuses', 'errs-without-effect'],
      activityAttempts: 1,
    },
    budget: { faults: 1, jumps: 1 },
    quick: ['every-answer+query'],
    deeper: { faults: 1, jumps: 1 },
  },
  {
    id: 'closings',
    about: 'the workflow closes a call at any step',
    parts: { activityAttempts: 1, behaviours: ['turns-away'] },
    budget: { closings: 1, faults: 1, losses: 1 },
    quick: SOME,
    deeper: { closings: 1 },
  },
  {
    id: 'twins',
    about: 'both calls are of one model step and the business refuses one of them',
    parts: { calls: TWINS, activityAttempts: 1 },
    budget: { refusals: 1, closings: 1 },
    quick: ['every-answer+query'],
    deeper: { losses: 1, crashes: 1 },
  },
  {
    id: 'conflict',
    about: 'the calls want different things under one ID',
    parts: {
      calls: TWO_CALLS.map((call, index) => ({ ...call, intent: `{"quantity":${index + 1}}` })),
      behaviours: ['turns-away', 'refuses'],
    },
    budget: { faults: 2 },
    quick: ['every-answer+query'],
    deeper: { losses: 1 },
    reaches: 'done + conflict',
  },
  {
    id: 'cut-commits',
    about: 'saves are written and their confirmation is lost',
    parts: { behaviours: ['turns-away'] },
    budget: { faults: 1, cutCommits: 1, losses: 1 },
    quick: ['every-answer+query'],
    deeper: { cutCommits: 1 },
  },
  {
    id: 'neighbour',
    about: 'another tenant of the same account has an operation of the same ID',
    parts: {},
    budget: { neighbours: 1, losses: 1 },
    quick: ['every-answer+query'],
    deeper: { crashes: 1, reconciliations: 1 },
  },
  {
    id: 'three-calls',
    about: 'three calls want it',
    parts: { calls: THREE_CALLS, activityAttempts: 1, behaviours: ['refuses'] },
    budget: { faults: 1 },
    quick: ['every-answer+query'],
    deeper: { losses: 1 },
  },
];
