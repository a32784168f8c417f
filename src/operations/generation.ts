import { type Attempt, isPossible } from './attempt';
import type { WaitsFor } from './event';
import type { StoredRequest } from './request';
import { effectsOf, type Sighting, type Source } from './sighting';
import type { Instant } from './time';

/** One stored request under one key, and all that was tried with it. */
export interface Generation {
  readonly number: number;
  /** Null where a call was closed before anything was registered. */
  readonly registration: Registration | null;
  readonly attempts: readonly Attempt[];
  /** What keeps it from being sent while it is registered; null where nothing does. */
  readonly waitsFor: WaitsFor | null;
  /** Why it was dropped; null where it was not, or was registered afresh since. */
  readonly dropped: string | null;
  /** Absence that the contract calls proof was recorded: closed for ever (rule 8). */
  readonly neverAccepted: Source | null;
  /** Put before a person for want of an answer. */
  readonly escalated: string | null;
}

export interface Registration {
  readonly key: string;
  readonly intent: string;
  readonly request: StoredRequest;
  /** The call that recorded it, and its place in the history. */
  readonly callId: string;
  readonly seq: number;
}

/** What the attempts and the evidence of one generation say together, alarms and people aside (rule 9). */
export type Verdict =
  | { readonly state: 'registered' }
  | { readonly state: 'dropped'; readonly reason: string }
  | { readonly state: 'submitted' }
  | { readonly state: 'unknown'; readonly reason: string }
  | { readonly state: 'accepted'; readonly externalId: string }
  | { readonly state: 'confirmed'; readonly externalId: string; readonly by: Source }
  | { readonly state: 'rejected'; readonly reason: string; readonly externalId: string | null; readonly by: Source };

export function verdictOf(generation: Generation, sightings: readonly Sighting[]): Verdict {
  const effects = effectsOf(generation.number, sightings);
  const succeeded = effects.find((effect) => effect.succeeded);
  if (succeeded) return { state: 'confirmed', externalId: succeeded.externalId, by: succeeded.source };
  const failed = effects.find((effect) => effect.failed);
  const live = effects.find((effect) => !effect.failed);
  if (live) return { state: 'accepted', externalId: live.externalId };
  const refusal = refusalOf(generation);
  if (failed) {
    const reason = refusal?.reason ?? `The provider's ${failed.externalId} failed.`;
    return { state: 'rejected', reason, externalId: failed.externalId, by: failed.source };
  }
  if (refusal) return { state: 'rejected', reason: refusal.reason, externalId: null, by: refusal.by };
  const possible = generation.attempts.filter(isPossible);
  if (possible.length === 0) {
    return generation.dropped === null ? { state: 'registered' } : { state: 'dropped', reason: generation.dropped };
  }
  if (possible.some((attempt) => attempt.outcome === null)) return { state: 'submitted' };
  return { state: 'unknown', reason: lastReason(possible) };
}

/**
 * Whether the answers or a proof of absence say that no attempt had an effect: one refusal that covers all, or a
 * refusal of each attempt that may have left.
 */
export function refusalOf(generation: Generation): { readonly reason: string; readonly by: Source } | null {
  if (generation.neverAccepted !== null) {
    return { reason: 'The provider never accepted it.', by: generation.neverAccepted };
  }
  const refusals = generation.attempts.flatMap(({ outcome }) => (outcome?.kind === 'rejected' ? [outcome] : []));
  const last = refusals.at(-1);
  if (!last) return null;
  const all = refusals.find((outcome) => outcome.covers === 'all');
  const complete = generation.attempts.filter(isPossible).every(({ outcome }) => outcome?.kind === 'rejected');
  if (!all && !complete) return null;
  const { code, message } = all ?? last;
  return { reason: `${code}: ${message}`, by: 'answer' };
}

/** Whether an attempt may have left: only then can evidence be about this generation. */
export function wasSent(generation: Generation): boolean {
  return generation.attempts.some(isPossible);
}

/** The last moment at which bytes of any attempt can still arrive; null where none may have left. */
export function lastArrival(generation: Generation): Instant | null {
  const arrivals = generation.attempts.filter(isPossible).map((attempt) => attempt.arriveBy);
  return arrivals.length === 0 ? null : Math.max(...arrivals);
}

function lastReason(possible: readonly Attempt[]): string {
  const whys = possible.flatMap(({ outcome }) => (outcome?.kind === 'unknown' ? [outcome.why] : []));
  return `${whys.at(-1)}`;
}
