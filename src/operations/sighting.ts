import type { EffectStatus } from './evidence';

/** Who told us. */
export type Source = 'answer' | 'query' | 'webhook' | 'fence' | 'person';

/** One statement about an effect downstream that bears our operation ID. */
export interface Sighting {
  readonly seq: number;
  readonly source: Source;
  readonly externalId: string;
  readonly status: EffectStatus;
  readonly mismatch: string | null;
  /** The generation it belongs to; `ambiguous` where it fits more than one sent one, `foreign` where its key is not ours. */
  readonly generation: number | 'ambiguous' | 'foreign';
}

/** A matching effect with everything that was ever said of it. */
export interface Effect {
  readonly externalId: string;
  readonly pending: boolean;
  readonly succeeded: boolean;
  readonly failed: boolean;
  /** Who first told its most telling status. */
  readonly source: Source;
}

/** The matching effects of one generation, ordered by their IDs; the order of the sightings makes no difference. */
export function effectsOf(generation: number, sightings: readonly Sighting[]): Effect[] {
  return effectsAmong(sightings.filter((sighting) => sighting.generation === generation));
}

/** The matching effects of all generations, those whose generation nobody can tell included. */
export function effectsAmong(sightings: readonly Sighting[]): Effect[] {
  const effects = new Map<string, Effect>();
  for (const { externalId, status, mismatch, source } of sightings) {
    if (mismatch !== null) continue;
    const known = effects.get(externalId) ?? { externalId, pending: false, succeeded: false, failed: false, source };
    const isMoreTelling = !known.succeeded && (status === 'succeeded' || (status === 'failed' && !known.failed));
    effects.set(externalId, { ...known, [status]: true, source: isMoreTelling ? source : known.source });
  }
  return [...effects.values()].sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
}

/** Whether the effect exists or may come to exist, as far as anybody said. */
export function isLive(effect: Effect): boolean {
  return effect.succeeded || !effect.failed;
}
