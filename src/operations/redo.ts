import type { Recorded, RegisteredEvent, ResolvedEvent, WaitingEvent } from './event';
import type { Operation } from './fold';
import { mayOpenNext } from './plan';
import type { StoredRequest } from './request';
import type { Signature } from './signature';
import { stateAt } from './state';
import type { Instant } from './time';

/** A person wants an operation's effect once more, as an operation of its own. */
export interface Redo extends Signature {
  /** Of the new operation. */
  readonly id: string;
}

export type RedoAnswer =
  | {
      readonly kind: 'allowed';
      /** What is done once more. */
      readonly original: RegisteredEvent;
      /** To be recorded of the original before anything else; null where nothing of it can be sent any more anyway. */
      readonly end: ResolvedEvent | null;
    }
  /** Nothing is changed. */
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Whether an operation may be done once more under another ID and key. The provider dedupes nothing between the two, so
 * the first must have come to its end: one that is unknown may take effect yet, and beside the new one that would be two
 * where a person wanted one. What had no effect is replaced instead: it ends with the same act, or a later call would
 * open its next generation.
 */
export function judgeRedo(
  operation: Operation | null,
  events: readonly Recorded[],
  { id, by, note }: Redo,
  now: Instant,
): RedoAnswer {
  if (operation === null) return refused('There is no such operation.');
  const { current, person, version } = operation;
  const original = events.find(
    (event): event is Recorded<RegisteredEvent> =>
      event.kind === 'registered' && event.seq === current.registration?.seq,
  );
  if (original === undefined) return refused('It was never registered, so there is no request to repeat.');
  const state = stateAt(operation, now);
  switch (state) {
    case 'confirmed':
    case 'rejected': {
      const replacement = person?.generation === current.number ? person.redoneAs : undefined;
      if (replacement !== undefined && replacement !== id) {
        return refused(`It was replaced by ${replacement} already. Look at that one.`);
      }
      // It is confirmed, or a person gave no leave.
      if (!mayOpenNext(operation)) return { kind: 'allowed', original, end: null };
      const end: ResolvedEvent = {
        kind: 'resolved',
        generation: current.number,
        by,
        note: `${id} takes its place. ${note}`,
        sawVersion: version,
        verdict: { as: 'rejected', allowResend: false },
        redoneAs: id,
      };
      return { kind: 'allowed', original, end };
    }
    case 'dropped':
      return refused('It was never sent and has no effect: a call for it sends it, under its own ID.');
    case 'registered':
      return refused('It has not been sent yet, and may still be. Let it come to its end first.');
    case 'submitted':
    case 'accepted':
      return refused('It is under way. Let it come to its end first.');
    case 'unknown':
      return refused('It may take effect yet, and then there would be two. Find out what became of it first.');
    case 'escalated':
      return refused('It is before a person, who must say first what became of it.');
  }
}

/** The new operation's first events: the same intent and request, for the same session and customer. It is not sent. */
export function redoEvents(
  of: string,
  original: RegisteredEvent,
  { id, by, note }: Redo,
  { key, request }: { readonly key: string; readonly request: StoredRequest },
): readonly [RegisteredEvent, WaitingEvent] {
  const { tool, provider, intent, call } = original;
  const own = { ...call, callId: `redo/${id}`, activityAttempt: 1 };
  return [
    { kind: 'registered', generation: 1, tool, provider, key, intent, request, call: own },
    { kind: 'waiting', generation: 1, call: own, waitsFor: 'redo', redo: { of, by, note } },
  ];
}

/** Of which operation, by whom and why a person had this one registered; null where a call did. */
export function redoOf(events: readonly Recorded[]): WaitingEvent['redo'] | null {
  const [, second] = events;
  return second?.kind === 'waiting' ? (second.redo ?? null) : null;
}

function refused(why: string): RedoAnswer {
  return { kind: 'refused', why };
}
