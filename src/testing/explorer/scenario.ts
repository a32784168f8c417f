import type { Contract, KeyWindow } from '../../operations/contract';
import type { PerformLimits } from '../../operations/perform';
import { milliseconds } from '../../operations/time';

/** What one exploration is about: who acts, what the provider promises, and how much may go wrong in one trace. */
export interface Scenario {
  readonly name: string;
  readonly contract: Contract;
  readonly hasQuery: boolean;
  readonly calls: readonly CallScenario[];
  /** Activity attempts of one call before its activity fails for good. */
  readonly activityAttempts: number;
  readonly limits: PerformLimits;
  /** What the provider may do with a request that it has not met under this key, besides carrying it out. */
  readonly behaviours: readonly Behaviour[];
  /** Whether the provider tells under which key an effect was made. */
  readonly tellsKeys: boolean;
  /** The moments to which time goes on; fewer of them leave room for more of the rest. */
  readonly moments: readonly MomentName[];
  readonly budget: Budget;
}

/** What ends or begins at a moment; each is one tick past the last one before it, or the last one itself. */
export const MOMENTS = [
  'send deadline',
  'answer overdue',
  'last arrival',
  'nothing arrives any more',
  'absence is proof',
  'last resend',
  'resends end',
  'key forgotten',
  'pending too long',
  'a person is called',
  'left behind',
] as const;

export type MomentName = (typeof MOMENTS)[number];

export interface CallScenario {
  /** Its name in stories, and its call ID. */
  readonly name: string;
  readonly session: string;
  /** `start`: in one model step, before anything was registered. `any`: at any moment of the trace. */
  readonly planned: 'start' | 'any';
  readonly intent: string;
}

/**
 * - `pends`: made, finished later; `fails`: made and failed from the start;
 * - `refuses`: after execution, as the contract stores it; `refuses-early`: before execution, never stored;
 * - `turns-away`: before execution, worth the same bytes again (429);
 * - `answers-another`: our key is answered with something that is not ours, and nothing of ours is made;
 * - `errs-with-effect`, `errs-without-effect`: a 500 of the execution; `breaks`: a 502 from before it.
 */
export type Behaviour =
  | 'pends'
  | 'fails'
  | 'refuses'
  | 'refuses-early'
  | 'turns-away'
  | 'answers-another'
  | 'errs-with-effect'
  | 'errs-without-effect'
  | 'breaks';

/** How often each mishap or act may happen in one trace. It bounds the exploration. */
export interface Budget {
  /** A worker dies. */
  readonly crashes: number;
  /** Temporal starts the next attempt while the older one is only frozen. */
  readonly overlaps: number;
  /** A request or an answer is lost. */
  readonly losses: number;
  /** The provider does something else than carry out. */
  readonly faults: number;
  /** Time goes on to an interesting moment. */
  readonly jumps: number;
  /** A query lags behind, shows a part only, or is inconclusive. */
  readonly blindQueries: number;
  /** A call's activity fails for good before its attempts are used up. */
  readonly closings: number;
  /** The business refuses the call while its request is computed. */
  readonly refusals: number;
  /** `look` executions (operation_status). */
  readonly looks: number;
  readonly webhooks: number;
  /** Acts of a person. */
  readonly acts: number;
  /** The ledger's clock is set back a little. */
  readonly setBacks: number;
  /** What succeeded fails later: a bank sends the money back. */
  readonly bounces: number;
  /** Somebody else's object bears our operation ID. */
  readonly strangers: number;
  /** Another tenant's call of the same operation ID, in an account that both share. */
  readonly neighbours: number;
  /** A save is written and its confirmation lost. */
  readonly cutCommits: number;
  /** Reconciliation comes to the operation. */
  readonly reconciliations: number;
  /** People pause the provider; they resume it at any time. */
  readonly pauses: number;
}

export const NO_MISHAPS: Budget = {
  crashes: 0,
  overlaps: 0,
  losses: 0,
  faults: 0,
  jumps: 0,
  blindQueries: 0,
  closings: 0,
  refusals: 0,
  looks: 0,
  webhooks: 0,
  acts: 0,
  setBacks: 0,
  bounces: 0,
  strangers: 0,
  neighbours: 0,
  cutCommits: 0,
  reconciliations: 0,
  pauses: 0,
};

/** How far the ledger's clock may be set back at any time; the margin below has room for it. */
export const SET_BACK = 1;

/** How far it may be set back once the ledger knows that a window is over: far into that window. */
export const SET_BACK_FAR = 100;

const KEY: KeyWindow = {
  window: milliseconds(140),
  margin: milliseconds(51),
  maxLength: 255,
  replays: 'every-answer',
};

/** Small numbers, for the order of the moments is all that matters. */
const BASE: Contract = {
  key: KEY,
  absence: 'inconclusive',
  sendWithin: milliseconds(10),
  deliverWithin: milliseconds(40),
  answerWithin: milliseconds(12),
  acceptedFor: milliseconds(60),
  escalateAfter: milliseconds(60),
};

export const CONTRACTS = {
  everyAnswer: BASE,
  /** As above, and a complete empty query 15 ms after the last arrival proves that nothing was accepted. */
  provenAbsence: { ...BASE, absence: { neverAcceptedAfter: milliseconds(15), until: milliseconds(1_000) } },
  successes: { ...BASE, key: { ...KEY, replays: 'successes' } },
  successesAreEffects: { ...BASE, key: { ...KEY, replays: 'successes', effectAndSuccessAreOne: true } },
  latestStatus: { ...BASE, key: { ...KEY, replays: 'latest-status' } },
  noKey: { ...BASE, key: 'none' },
  noKeyProvenAbsence: {
    ...BASE,
    key: 'none',
    absence: { neverAcceptedAfter: milliseconds(15), until: milliseconds(1_000) },
  },
} as const satisfies Record<string, Contract>;

/** One poll of a join is enough: more of them only read the same again. */
export const LIMITS: PerformLimits = {
  joinWithin: milliseconds(1),
  joinPollEvery: milliseconds(1),
  notSubmittedAttempts: 2,
  leftBehindAfter: milliseconds(200),
};

export const TWO_CALLS: readonly CallScenario[] = [
  { name: 'A', session: 'chat-1', planned: 'start', intent: '{"quantity":1}' },
  { name: 'B', session: 'chat-2', planned: 'any', intent: '{"quantity":1}' },
];

export const TWINS: readonly CallScenario[] = [
  { name: 'A', session: 'chat-1', planned: 'start', intent: '{"quantity":1}' },
  { name: 'B', session: 'chat-1', planned: 'start', intent: '{"quantity":1}' },
];

export const ONE_CALL: readonly CallScenario[] = [
  { name: 'A', session: 'chat-1', planned: 'start', intent: '{"quantity":1}' },
];
