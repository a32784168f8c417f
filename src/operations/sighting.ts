import type { EffectStatus } from './evidence';

/** Who told us. */
export type Source = 'answer' | 'query' | 'webhook' | 'fence' | 'person';

/** One statement about an effect downstream that bears our operation ID. */
export interface Sighting {
  readonly seq: number;
  readonly source: Source;
  readonly externalId: string;
  readonly status: EffectStatus;
  /** The statement is a stored copy of an earlier answer: the status is one of then. */
  readonly copy: boolean;
  readonly mismatch: string | null;
  /** The generation it belongs to; `ambiguous` where it fits more than one sent one, `foreign` where its key is not ours. */
  readonly generation: number | 'ambiguous' | 'foreign';
}

/** A matching effect with everything that was ever said of it. */
export interface Effect {
  readonly externalId: string;
  readonly succeeded: boolean;
  readonly failed: boolean;
  /** A stored copy of an answer shows that it had succeeded or failed then. */
  readonly once: { readonly succeeded: boolean; readonly failed: boolean };
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
  for (const { externalId, status, copy, mismatch, source } of sightings) {
    if (mismatch !== null) continue;
    const known = effects.get(externalId) ?? { externalId, ...NOTHING_TOLD, source };
    if (copy) {
      // Of now it says no more than that the provider took it: that is `accepted` until it is read again.
      const once = {
        succeeded: known.once.succeeded || status === 'succeeded',
        failed: known.once.failed || status === 'failed',
      };
      effects.set(externalId, { ...known, once });
      continue;
    }
    const isMoreTelling = !known.succeeded && (status === 'succeeded' || (status === 'failed' && !known.failed));
    effects.set(externalId, {
      ...known,
      succeeded: known.succeeded || status === 'succeeded',
      failed: known.failed || status === 'failed',
      source: isMoreTelling ? source : known.source,
    });
  }
  return [...effects.values()].sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
}

const NOTHING_TOLD = { succeeded: false, failed: false, once: { succeeded: false, failed: false } };

/** Whether it ever succeeded, and whether it ever failed, now or in a stored copy. Both cannot be (rule 10). */
export function succeededAndFailed({ succeeded, failed, once }: Effect): boolean {
  return (succeeded || once.succeeded) && (failed || once.failed);
}

/** Whether the effect exists or may come to exist, as far as anybody said. */
export function isLive(effect: Effect): boolean {
  return effect.succeeded || !effect.failed;
}
