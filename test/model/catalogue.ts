import type { Budget, Scenario } from '../../src/testing/explorer/scenario';
import { KINDS, type Kind } from './kinds';
import { scenarioWith } from './scenario-with';
import type { Theme } from './theme';
import { CALLS } from './themes/calls';
import { FINDING_OUT } from './themes/finding-out';
import { FROZEN } from './themes/frozen';
import { PEOPLE } from './themes/people';
import { RECONCILING } from './themes/reconciling';

/** `quick`: a part of `full`, for every change. `deep`: more mishaps in one trace, up to a stated bound. */
export type Level = 'quick' | 'full' | 'deep';

/** One scenario of the catalogue: a theme at a kind of contract. */
export interface Entry {
  /** `theme/kind`; in seeds and in `--only`. */
  readonly id: string;
  readonly kind: string;
  readonly about: string;
  readonly scenario: Scenario;
  /** Worlds after which the exploration may stop; null where all of them must be looked at. */
  readonly bound: number | null;
  readonly reaches: string | null;
}

export const THEMES: readonly Theme[] = [...CALLS, ...FROZEN, ...FINDING_OUT, ...PEOPLE, ...RECONCILING];

/** What a deep run looks at of one scenario: beyond it, the worlds' names do not fit into memory beside each other. */
const DEEP_BOUND = 3_000_000;

export function entriesOf(level: Level): Entry[] {
  return THEMES.flatMap((theme) =>
    KINDS.filter((kind) => isOf(theme, kind, level)).map((kind) => entryOf(theme, kind, level)),
  );
}

function isOf({ at, quick = [], isDeepOnly = false }: Theme, kind: Kind, level: Level): boolean {
  if (at?.(kind) === false || (isDeepOnly && level !== 'deep')) return false;
  return level !== 'quick' || quick.includes(kind.id);
}

function entryOf(theme: Theme, kind: Kind, level: Level): Entry {
  const id = `${theme.id}/${kind.id}`;
  const asked = kind.hasQuery ? 'can be asked' : 'cannot be asked';
  const about = `when ${theme.about}, at a provider that ${kind.promise} and ${asked}`;
  const { contract, hasQuery } = kind;
  const budget = level === 'deep' ? sum(theme.budget, theme.deeper ?? {}) : theme.budget;
  const scenario = scenarioWith(about, { contract, hasQuery, ...theme.parts }, budget);
  const bound = level === 'deep' ? DEEP_BOUND : null;
  return {
    id: level === 'deep' ? `deep/${id}` : id,
    kind: kind.id,
    about,
    scenario,
    bound,
    reaches: theme.reaches ?? null,
  };
}

function sum(one: Partial<Budget>, other: Partial<Budget>): Partial<Budget> {
  const total: Partial<Record<keyof Budget, number>> = { ...one };
  for (const name of Object.keys(other) as (keyof Budget)[]) total[name] = (one[name] ?? 0) + (other[name] ?? 0);
  return total;
}
