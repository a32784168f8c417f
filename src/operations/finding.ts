import { isCompleteLook, isFinalAbsence } from './absence';
import type { EvidenceEvent, Recorded } from './event';
import type { FoundEffect } from './evidence';
import type { Operation } from './fold';
import type { PerformSetup, PerformState } from './perform';

/** What this execution's query found, as an event; null where there is none, or where it tells nothing new. */
export function newEvidence(
  setup: PerformSetup,
  { finding, events }: Pick<PerformState, 'finding' | 'events'>,
  operation: Operation,
): EvidenceEvent | null {
  if (finding === null) return null;
  const { evidence, begunAt } = finding;
  const { current } = operation;
  const final = isFinalAbsence(current, setup.contract, evidence, begunAt);
  if (!final && evidence.kind === 'found' && evidence.effects.every((effect) => isKnown(effect, operation))) {
    // The same effects again say something once: that everything was looked at after nothing could arrive any more.
    const isFirst = isCompleteLook(current, evidence, begunAt) && !events.some(isCompleteLookAt(operation));
    if (!isFirst) return null;
  }
  return { kind: 'evidence', source: 'query', generation: current.number, begunAt, evidence, final };
}

function isKnown({ externalId, status, mismatch }: FoundEffect, { sightings }: Operation): boolean {
  return sightings.some(
    (sighting) =>
      sighting.externalId === externalId &&
      sighting.status === status &&
      !sighting.copy &&
      sighting.mismatch === mismatch,
  );
}

function isCompleteLookAt({ current }: Operation): (event: Recorded) => boolean {
  return (event) => event.kind === 'evidence' && isCompleteLook(current, event.evidence, event.begunAt);
}
