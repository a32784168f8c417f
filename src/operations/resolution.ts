import { isCompleteLook } from './absence';
import type { OperationEvent, PersonVerdict, Recorded } from './event';
import type { Operation } from './fold';
import { lastArrival, wasSent } from './generation';
import { effectsAmong, effectsOf } from './sighting';
import type { Instant } from './time';

/** What a person wants to say of an operation. */
export interface Resolution {
  readonly by: string;
  readonly note: string;
  /** The version they had before them. */
  readonly sawVersion: number;
  readonly verdict: PersonVerdict;
  /** Ledger time at which they began to look at the provider themselves; only read where no query exists. */
  readonly lookedAt: Instant | null;
}

export type ResolutionAnswer = { readonly kind: 'resolved'; readonly event: OperationEvent } | ResolutionRefusal;

/** Nothing is changed. */
export interface ResolutionRefusal {
  readonly kind: 'refused';
  readonly why: string;
  /** What came after the version they saw. */
  readonly evidence: readonly Recorded[];
  /** Where a look is what is missing: the moment after which one must begin to count. */
  readonly lookAfter: Instant | null;
}

/** Judges a person's act (rules 11 and 12). A person's word is believed, so it must rest on what is known now. */
export function resolve(
  operation: Operation | null,
  events: readonly Recorded[],
  resolution: Resolution,
  hasQuery: boolean,
): ResolutionAnswer {
  if (operation === null) return refused('There is no such operation.');
  const { current } = operation;
  const newer = events.filter((event) => event.seq > resolution.sawVersion && tellsSomething(event));
  if (newer.length > 0) return { ...refused('There is newer evidence. Look at it and decide again.'), evidence: newer };
  if (resolution.sawVersion > operation.version) return refused(`There is no version ${resolution.sawVersion} yet.`);
  // An alarm is escalated, too: what it is about may be settled, or never sent.
  if (operation.state !== 'escalated') {
    if (!wasSent(current)) return refused('It was never sent, so there is nothing to find out.');
    if (operation.state === 'confirmed' || operation.state === 'rejected') {
      return refused(`It is settled already: ${operation.state}.`);
    }
  }
  const refusal =
    resolution.verdict.as === 'confirmed'
      ? againstConfirmed(operation, resolution.verdict.externalId)
      : againstRejected(operation, events, resolution.lookedAt, hasQuery);
  if (refusal !== null) return refusal;
  const { by, note, sawVersion, verdict } = resolution;
  return { kind: 'resolved', event: { kind: 'resolved', generation: current.number, by, note, sawVersion, verdict } };
}

function refused(why: string, lookAfter: Instant | null = null): ResolutionRefusal {
  return { kind: 'refused', why, evidence: [], lookAfter };
}

/** Empty and inconclusive looks change nothing for the person; everything else may. */
function tellsSomething(event: Recorded): boolean {
  if (event.kind === 'evidence') return event.evidence.kind === 'found' || event.final;
  return event.kind !== 'closed' && event.kind !== 'told' && event.kind !== 'escalated';
}

function againstConfirmed(operation: Operation, externalId: string): ResolutionRefusal | null {
  const { current, sightings } = operation;
  // A slip of the pen: one effect of this generation is known, and they name one that nobody ever saw.
  const standing = effectsOf(current.number, sightings).filter((effect) => !effect.failed);
  const known = effectsAmong(sightings).map((effect) => effect.externalId);
  if (standing.length === 0 || known.includes(externalId)) return null;
  return refused(`The effects known are ${known.join(', ')}; ${externalId} is none of them.`);
}

function againstRejected(
  operation: Operation,
  events: readonly Recorded[],
  lookedAt: Instant | null,
  hasQuery: boolean,
): ResolutionRefusal | null {
  const { current } = operation;
  // What failed after it succeeded is theirs to judge. Where nobody can ask, they alone can know that a pending one failed.
  const standing = effectsAmong(operation.sightings).find(
    ({ succeeded, once, failed }) => !failed && (succeeded || once.succeeded || hasQuery),
  );
  if (standing) {
    return refused(`The effect exists: ${standing.externalId}. Undo it at the provider first, or say confirmed.`);
  }
  const arrived = lastArrival(current);
  if (arrived === null) return null;
  if (!hasQuery) {
    if (lookedAt !== null && lookedAt > arrived) return null;
    return refused('What was sent may still arrive. Look at the provider after that and decide again.', arrived);
  }
  const complete = events.some(
    (event) => event.kind === 'evidence' && isCompleteLook(current, event.evidence, event.begunAt),
  );
  if (complete) return null;
  return refused('A complete query, begun after the last moment anything could arrive, is needed first.', arrived);
}
