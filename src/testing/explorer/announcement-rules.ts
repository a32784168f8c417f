import type { OperationEvent, Recorded } from '../../operations/event';
import type { Operation } from '../../operations/fold';
import type { Engine } from './engine';
import type { Broken } from './history-rules';

interface Moment {
  readonly events: readonly Recorded[];
  readonly operation: Operation | null;
}

/** Who must be told because of a save, judged by the history alone: each of them once, and nobody else. */
export function brokenByAnnouncements(engine: Engine, before: Moment, after: Moment): Broken[] {
  const added = after.events.length - before.events.length;
  const rows = engine.announcementsOf(after.events, added);
  const settled = rows.filter(({ kind }) => kind === 'settled').map(({ sessionId }) => sessionId);
  const escalated = rows.filter(({ kind }) => kind === 'escalated');
  const [was, is] = [before.operation, after.operation];
  if (was === null || is === null) return [];
  const broken: Broken[] = [];
  const ends = isEnd(is.state) && is.state !== was.state;
  const waiting = ends ? sessionsOf(after.events, was.alarms.length > 0 ? null : is.current.number) : [];
  if (JSON.stringify([...settled].sort()) !== JSON.stringify(waiting)) {
    const what = `${was.state} became ${is.state}; ${waiting.join(', ')} wait, and told are ${settled.join(', ')}.`;
    broken.push({ rule: 'Told later, once: whoever waits hears how it ends', what });
  }
  const news = is.alarms.some((fact) => !was.alarms.includes(fact));
  const raised = is.state === 'escalated' && (was.state !== 'escalated' || news) ? 1 : 0;
  if (escalated.length !== raised) {
    const what = `${was.state} became ${is.state}; people hear of it ${escalated.length} times, not ${raised}.`;
    broken.push({ rule: 'People hear once of what is put before them, and of each new alarm', what });
  }
  return broken;
}

/** Whether the session of a call that is told something unfinished will hear how it ends. */
export function willBeTold(events: readonly Recorded[], generation: number, session: string): boolean {
  return sessionsOf(events, generation).includes(session);
}

function isEnd(state: Operation['state']): boolean {
  return state === 'confirmed' || state === 'rejected' || state === 'dropped';
}

/** Sessions with a part in the generation, or in any. */
function sessionsOf(events: readonly OperationEvent[], generation: number | null): string[] {
  const own = events.filter(
    (event) =>
      (event.kind === 'registered' || event.kind === 'marked' || event.kind === 'waiting' || event.kind === 'told') &&
      (generation === null || event.generation === generation),
  );
  return [...new Set(own.flatMap((event) => ('call' in event ? [event.call.sessionId] : [])))].sort();
}
