import { isPossible } from './attempt';
import type { Recorded } from './event';
import type { FoundEffect } from './evidence';
import type { Generation } from './generation';
import type { Outcome } from './outcome';
import type { Sighting } from './sighting';

/** Every statement about an effect, from answers, evidence and people, in the order of the history. */
export function foldSightings(events: readonly Recorded[], generations: readonly Generation[]): Sighting[] {
  const told = events.flatMap((event): Sighting[] => {
    switch (event.kind) {
      case 'answered':
        return answerSightings(event);
      case 'evidence': {
        if (event.evidence.kind !== 'found') return [];
        const { seq, source } = event;
        return event.evidence.effects.map((effect) => ({
          seq,
          source,
          externalId: effect.externalId,
          status: effect.status,
          copy: false,
          mismatch: effect.mismatch,
          generation: generationOf(effect, seq, generations),
        }));
      }
      case 'resolved': {
        if (event.verdict.as !== 'confirmed') return [];
        const { seq, generation } = event;
        const { externalId } = event.verdict;
        return [{ seq, source: 'person', externalId, status: 'succeeded', copy: false, mismatch: null, generation }];
      }
      default:
        return [];
    }
  });
  return told.map((sighting) =>
    sighting.generation === 'ambiguous' ? { ...sighting, generation: knownOwner(sighting, told) } : sighting,
  );
}

/** What an answer, a key or an earlier look already told of this number; a person names a number, not its generation. */
function knownOwner({ externalId }: Sighting, told: readonly Sighting[]): Sighting['generation'] {
  const own = told.filter((other) => other.externalId === externalId && other.source !== 'person');
  const owners = new Set(
    own.map(({ generation }) => generation).filter((generation) => typeof generation === 'number'),
  );
  const [owner, other] = owners;
  return owner !== undefined && other === undefined ? owner : 'ambiguous';
}

function answerSightings(event: { seq: number; generation: number; outcome: Outcome }): Sighting[] {
  const { seq, generation, outcome } = event;
  const sighting = (externalId: string, status: Sighting['status'], copy = false): Sighting[] => [
    { seq, source: 'answer', externalId, status, copy, mismatch: null, generation },
  ];
  if (outcome.kind === 'confirmed') return sighting(outcome.externalId, 'succeeded');
  if (outcome.kind === 'accepted') {
    const { externalId, replayed, status = 'pending' } = outcome;
    return replayed ? sighting(externalId, status, true) : sighting(externalId, 'pending');
  }
  if (outcome.kind === 'rejected' && outcome.externalId !== null) return sighting(outcome.externalId, 'failed');
  return [];
}

/** Whose key it is. */
export function ownerOf(key: string, generations: readonly Generation[]): number | 'foreign' {
  return generations.find((generation) => generation.registration?.key === key)?.number ?? 'foreign';
}

/**
 * The key tells the generation. Without one, the generations count that were sent before the evidence was recorded: a
 * mark is committed before its first byte leaves, so what was recorded earlier cannot be about a later generation.
 */
function generationOf(effect: FoundEffect, seq: number, generations: readonly Generation[]): Sighting['generation'] {
  if (effect.key !== null) return ownerOf(effect.key, generations);
  const sent = generations.filter(({ attempts }) =>
    attempts.some((attempt) => isPossible(attempt) && attempt.markedSeq < seq),
  );
  if (sent.length > 1) return 'ambiguous';
  return (sent[0] ?? generations[0])?.number ?? 'ambiguous';
}
