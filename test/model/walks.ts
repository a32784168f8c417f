import { type Behaviour, type Budget, type Scenario, TWO_CALLS } from '../../src/testing/explorer/scenario';
import type { Level } from './catalogue';
import { KINDS, type Kind } from './kinds';
import { scenarioWith } from './scenario-with';
import { EVERYTHING } from './theme';

/** Random walks through three calls and more mishaps in one trace than can be explored. */
export interface Walk {
  readonly id: string;
  readonly scenario: Scenario;
  readonly walks: number;
  /** Fixed, so that every run walks the same ways. */
  readonly seed: number;
}

const CALLS = [...TWO_CALLS, { name: 'C', session: 'chat-1', planned: 'any', intent: '{"quantity":1}' }] as const;
const BEHAVIOURS: readonly Behaviour[] = [...EVERYTHING, 'answers-another'];
const BUDGET: Budget = {
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
  neighbours: 0,
  cutCommits: 1,
  reconciliations: 3,
  pauses: 2,
};
const WALKS: Readonly<Record<Level, number>> = { quick: 200, full: 2_000, deep: 20_000 };
/** In a quick run: as many kinds as there are kinds of replays, of absence and of silence. */
const QUICK = ['every-answer+query', 'every-answer+proof', 'success-is-effect', 'latest-status+query', 'no-key'];

export function walksOf(level: Level): Walk[] {
  return KINDS.filter(({ id }) => level !== 'quick' || QUICK.includes(id)).map((kind) => walkOf(kind, level));
}

function walkOf({ id, promise, contract, hasQuery }: Kind, level: Level): Walk {
  const seed = KINDS.findIndex((kind) => kind.id === id) + 912;
  const parts = { calls: CALLS, contract, hasQuery, tellsKeys: seed % 2 === 0, activityAttempts: 3 };
  const name = `three calls and many mishaps, at a provider that ${promise}`;
  const scenario = scenarioWith(name, { ...parts, behaviours: BEHAVIOURS }, BUDGET);
  return { id: `walk/${id}`, scenario, walks: WALKS[level], seed };
}
