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
  const matching = sightings.filter((sighting) => sighting.mismatch === null);
  const ids = [...new Set(matching.map((sighting) => sighting.externalId))].sort();
  return ids.map((externalId) =>
    effectOf(
      externalId,
      matching.filter((sighting) => sighting.externalId === externalId),
    ),
  );
}

/** Whether the effect exists or may come to exist, as far as anybody said. */
export function isLive(effect: Effect): boolean {
  return effect.succeeded || !effect.failed;
}

function effectOf(externalId: string, sightings: readonly Sighting[]): Effect {
  const told = (status: EffectStatus) => sightings.filter((sighting) => sighting.status === status);
  const [pending, succeeded, failed] = [told('pending'), told('succeeded'), told('failed')];
  const telling = [succeeded, failed, pending].find((group) => group.length > 0) ?? [];
  const first = telling.reduce<Sighting | null>(
    (best, next) => (best === null || next.seq < best.seq ? next : best),
    null,
  );
  return {
    externalId,
    pending: pending.length > 0,
    succeeded: succeeded.length > 0,
    failed: failed.length > 0,
    source: first?.source ?? 'query',
  };
}
