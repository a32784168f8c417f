import type { MarkedEvent, OperationEvent, Recorded, RegisteredEvent, ToldEvent, WaitingEvent } from './event';
import { fold, type Operation } from './fold';
import { isSettled } from './state';
import { type Duration, milliseconds, seconds } from './time';

/** What a save makes somebody's business. It is written with the save, so that no crash lies between the two. */
export interface Announcement {
  /** `settled` is told to a session, `escalated` to people. */
  readonly kind: 'settled' | 'escalated';
  /** Empty where people are told. */
  readonly sessionId: string;
  /** How long whoever is told anyway has the first word. */
  readonly after: Duration;
}

/** A call that gets its answer, or is closed, is about to tell it itself; only if its turn does not, somebody else does. */
const OWN_WORD_FIRST = seconds(15);
const AT_ONCE = milliseconds(0);

/** Everybody to be told because of the last `added` events. */
export function announcementsOf(events: readonly Recorded[], added: number): Announcement[] {
  const before = fold(events.slice(0, events.length - added));
  const after = fold(events);
  if (before === null || after === null) return [];
  const news = events.slice(events.length - added);
  return [...settlements(before, after, events, news), ...escalations(before, after)];
}

/** The sessions that were last told something unfinished, or something that is true no more. */
function settlements(
  before: Operation,
  after: Operation,
  events: readonly Recorded[],
  news: readonly OperationEvent[],
): Announcement[] {
  if (!isSettled(after.state) || after.state === before.state) return [];
  const wasAlarm = before.alarms.length > 0;
  const sessions = new Set(
    events
      .filter(isPart)
      .filter(({ generation }) => wasAlarm || generation === after.current.number)
      .map(({ call }) => call.sessionId),
  );
  // Reconciliation speaks with nobody.
  sessions.delete('');
  const ownWord = news
    .filter((event) => event.kind === 'answered' || event.kind === 'closed')
    .map(({ call }) => call.sessionId);
  return [...sessions].map((sessionId) => ({
    kind: 'settled',
    sessionId,
    after: ownWord.includes(sessionId) ? OWN_WORD_FIRST : AT_ONCE,
  }));
}

/** Once for want of an answer, and once for each new alarm. */
function escalations(before: Operation, after: Operation): Announcement[] {
  const isNew = before.state !== 'escalated' || after.alarms.some((fact) => !before.alarms.includes(fact));
  return after.state === 'escalated' && isNew ? [{ kind: 'escalated', sessionId: '', after: AT_ONCE }] : [];
}

/** Whether the session already hears how the current generation ends. */
export function willHear({ current }: Operation, events: readonly Recorded[], sessionId: string): boolean {
  return events
    .filter(isPart)
    .some(({ generation, call }) => generation === current.number && call.sessionId === sessionId);
}

/** Whether the session of the event's call has a part in the generation. One that was only closed may have been refused. */
function isPart<Event extends OperationEvent>(
  event: Event,
): event is Extract<Event, RegisteredEvent | WaitingEvent | ToldEvent | MarkedEvent> {
  const { kind } = event;
  return kind === 'registered' || kind === 'waiting' || kind === 'told' || kind === 'marked';
}
