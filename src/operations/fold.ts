import { alarmFacts, type PersonSaidNone } from './alarm';
import { type CallTruth, callTruthOf, withEvent } from './call-truth';
import type { OperationEvent, Recorded, ResolvedEvent, ToldEvent } from './event';
import { foldGenerations } from './fold-generations';
import { foldSightings } from './fold-sightings';
import { type Generation, type Verdict, verdictOf } from './generation';
import type { Sighting, Source } from './sighting';
import type { State } from './state';

/** An operation: the fold of its events. Nothing of it is stored but as a copy for finding. */
export interface Operation {
  /** Number of events: the fence of every write. */
  readonly version: number;
  readonly tool: string;
  readonly provider: string;
  /** Without a clock: read it through `stateAt`. */
  readonly state: State;
  /** Why, in words, where the state needs a reason. */
  readonly reason: string | null;
  readonly externalId: string | null;
  /** Who settled it; null while it is not settled. */
  readonly resolvedBy: Source | null;
  readonly generations: readonly Generation[];
  readonly current: Generation;
  readonly sightings: readonly Sighting[];
  /** Facts that a person has not seen yet; not empty means an alarm. */
  readonly alarms: readonly string[];
  readonly calls: ReadonlyMap<string, CallTruth>;
  /** Customers whose calls were authorised for this operation: who may ask for its status. */
  readonly customers: readonly string[];
  readonly person: ResolvedEvent | null;
}

/** Null for an operation nobody ever called for. */
export function fold(events: readonly Recorded[]): Operation | null {
  const first = events.find((event) => event.kind === 'registered' || event.kind === 'closed');
  const generations = foldGenerations(events);
  const current = generations.at(-1);
  if (!first || !current) return null;
  const sightings = foldSightings(events, generations);
  const persons = events.filter((event) => event.kind === 'resolved');
  const person = persons.at(-1) ?? null;
  const alarms = newFacts(events, person);
  const verdict = verdictOf(current, sightings);
  return {
    version: events.length,
    tool: first.tool,
    provider: first.provider,
    ...standing({ current, verdict, alarms, person, sightings }),
    generations,
    current,
    sightings,
    alarms,
    calls: foldCalls(events),
    customers: customersOf(events),
    person,
  };
}

/** Facts of the whole history that were not yet there when a person last looked. */
function newFacts(events: readonly Recorded[], person: ResolvedEvent | null): string[] {
  const all = factsOf(events);
  if (person === null) return all;
  // Their own word is no news to them: with what they saw it may look like a contradiction, and they decided it.
  const seen = new Set(factsOf(events.filter((event) => event.seq <= person.sawVersion || event === person)));
  return all.filter((fact) => !seen.has(fact));
}

function factsOf(events: readonly Recorded[]): string[] {
  const generations = foldGenerations(events);
  const saidNone: readonly PersonSaidNone[] = events
    .filter((event) => event.kind === 'resolved')
    .filter(({ verdict }) => verdict.as === 'rejected');
  const answers = events.filter((event) => event.kind === 'answered').map(({ outcome }) => outcome);
  return alarmFacts(generations, foldSightings(events, generations), saidNone, answers);
}

interface Facts {
  readonly current: Generation;
  readonly verdict: Verdict;
  readonly alarms: readonly string[];
  readonly person: ResolvedEvent | null;
  readonly sightings: readonly Sighting[];
}

type Standing = Pick<Operation, 'state' | 'reason' | 'externalId' | 'resolvedBy'>;

/** An alarm outranks a person's word, a person's word the evidence, and evidence the want of an answer. */
function standing({ current, verdict, alarms, person, sightings }: Facts): Standing {
  const externalId = 'externalId' in verdict ? verdict.externalId : null;
  if (alarms.length > 0) {
    // Never the number of what is not ours: calls are told this one.
    const known = externalId ?? sightings.find(({ mismatch }) => mismatch === null)?.externalId ?? null;
    return { state: 'escalated', reason: alarms.join(' '), externalId: known, resolvedBy: null };
  }
  if (person && person.generation === current.number) return personStanding(person);
  switch (verdict.state) {
    case 'confirmed':
      return { state: 'confirmed', reason: null, externalId, resolvedBy: verdict.by };
    case 'rejected':
      return { state: 'rejected', reason: verdict.reason, externalId, resolvedBy: verdict.by };
    case 'dropped':
      return { state: 'dropped', reason: verdict.reason, externalId: null, resolvedBy: null };
    case 'registered':
      return { state: 'registered', reason: null, externalId: null, resolvedBy: null };
    default: {
      const reason = 'reason' in verdict ? verdict.reason : null;
      return current.escalated === null
        ? { state: verdict.state, reason, externalId, resolvedBy: null }
        : { state: 'escalated', reason: current.escalated, externalId, resolvedBy: null };
    }
  }
}

function personStanding({ verdict, by, note }: ResolvedEvent): Standing {
  const externalId = verdict.as === 'confirmed' ? verdict.externalId : null;
  return { state: verdict.as, reason: `${by}: ${note}`, externalId, resolvedBy: 'person' };
}

/**
 * Of calls that were authorised when they registered, sent or were told. A closed call may have been refused, so its customer
 * counts only while there is nothing to hear of but that it was closed.
 */
function customersOf(events: readonly OperationEvent[]): string[] {
  const closed = events.filter((event) => event.kind === 'closed');
  const authorised = events.filter(
    (event) => event.kind === 'registered' || event.kind === 'marked' || isToldWhileOpen(event, events),
  );
  const heard = authorised.length > 0 ? authorised : closed;
  // Reconciliation acts for nobody.
  return [...new Set(heard.map((event) => event.call.customer))].filter((customer) => customer !== '');
}

/** Told after it was closed is the same call again, whose refusal got lost. */
function isToldWhileOpen(event: OperationEvent, events: readonly OperationEvent[]): event is ToldEvent {
  if (event.kind !== 'told') return false;
  const before = events.slice(0, events.indexOf(event));
  return !before.some((other) => other.kind === 'closed' && other.call.callId === event.call.callId);
}

function foldCalls(events: readonly OperationEvent[]): Map<string, CallTruth> {
  const calls = new Map<string, CallTruth>();
  for (const event of events) {
    if (!('call' in event)) continue;
    calls.set(event.call.callId, withEvent(callTruthOf(calls, event.call.callId), event));
  }
  return calls;
}
