import { isCompleteLook, isFinalAbsence } from './absence';
import type { EvidenceEvent, Recorded } from './event';
import type { Evidence, FoundEffect } from './evidence';
import type { Operation } from './fold';
import { ownerOf } from './fold-sightings';
import type { PerformSetup, PerformState } from './perform';

/**
 * What this execution's query found, as an event; null where there is none, or where it tells nothing new: looks go on
 * for as long as nothing is clear, and a history that grew with each of them would grow without end.
 */
export function newEvidence(
  setup: PerformSetup,
  { finding, events }: Pick<PerformState, 'finding' | 'events'>,
  operation: Operation,
): EvidenceEvent | null {
  if (finding === null) return null;
  const { evidence, begunAt } = finding;
  const { current } = operation;
  const final = isFinalAbsence(current, setup.contract, evidence, begunAt);
  // Proof is told once, too: what a person said is looked at for long after it.
  const isFirstProof = final && current.neverAccepted === null;
  if (!isFirstProof && isToldAlready(evidence, operation, events)) {
    // The same again says something once: that everything was looked at after nothing could arrive any more.
    const isFirst = isCompleteLook(current, evidence, begunAt) && !events.some(isCompleteLookAt(operation));
    if (!isFirst) return null;
  }
  return { kind: 'evidence', source: 'query', generation: current.number, begunAt, evidence, final };
}

/**
 * Effects that are known; or nothing, where a look since the last attempt showed nothing in the same way. Why a look was
 * inconclusive is no news: its words may differ each time, and with looks that come and go a history would have no end.
 */
function isToldAlready(evidence: Evidence, operation: Operation, events: readonly Recorded[]): boolean {
  if (evidence.kind === 'found') return evidence.effects.every((effect) => isKnown(effect, operation));
  const last = events.findLastIndex((event) => event.kind === 'marked');
  return events.slice(last + 1).some((event) => isLook(event, evidence.kind));
}

function isLook(event: Recorded, kind: Evidence['kind']): boolean {
  return event.kind === 'evidence' && event.evidence.kind === kind && event.source === 'query';
}

/**
 * Whether this was told before. A stored copy told nothing of now. A number that is known is news where its key shows
 * another owner.
 */
export function isKnown(
  { externalId, status, key, mismatch }: FoundEffect,
  { sightings, generations }: Operation,
): boolean {
  const owner = key === null ? null : ownerOf(key, generations);
  return sightings.some(
    (sighting) =>
      sighting.externalId === externalId &&
      sighting.status === status &&
      !sighting.copy &&
      sighting.mismatch === mismatch &&
      (owner === null || sighting.generation === owner),
  );
}

function isCompleteLookAt({ current }: Operation): (event: Recorded) => boolean {
  return (event) => event.kind === 'evidence' && isCompleteLook(current, event.evidence, event.begunAt);
}
