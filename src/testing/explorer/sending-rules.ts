import type { Contract } from '../../operations/contract';
import type { MarkedEvent, OperationEvent, Recorded } from '../../operations/event';
import type { Evidence } from '../../operations/evidence';
import type { Operation } from '../../operations/fold';
import type { Broken } from './history-rules';
import type { Scenario } from './scenario';
import type { Execution } from './world';

interface Before {
  readonly events: readonly Recorded[];
  readonly operation: Operation | null;
}

/** What an execution knows when it decides. */
export type Decider = Pick<Execution, 'look' | 'pausedAtRead'>;

/**
 * What an execution breaks by this save: what it may rest on is known to it alone, and not to the history. `planned`: the
 * generation of its call; null for reconciliation, which is nobody's call.
 */
export function brokenByDecision(
  scenario: Scenario,
  before: Before,
  execution: Decider,
  planned: number | null,
  added: readonly OperationEvent[],
  now: number,
): Broken[] {
  const broken: Broken[] = [];
  for (const mark of added.filter((event) => event.kind === 'marked')) {
    if (planned !== null && mark.generation !== planned) {
      const what = `${mark.call.callId} was planned for generation ${planned} and marked ${mark.generation}.`;
      broken.push({ rule: 'Rule 12: a call sends the generation it was planned for, and no other', what });
    }
    if (execution.pausedAtRead) {
      const what = `${mark.call.callId} marked, and what it read said "paused".`;
      broken.push({ rule: 'What is paused sends nothing', what });
    }
    const possible = possibleMarks(before.events, mark.generation);
    if (possible.length === 0) continue;
    const { key } = scenario.contract;
    const ends = key === 'none' ? 0 : Math.min(...possible.map(({ decidedAt }) => decidedAt)) + key.window - key.margin;
    if (mark.decidedAt >= ends) {
      const what = `${mark.call.callId} marked at ${mark.decidedAt}; resends ended at ${ends}.`;
      broken.push({ rule: 'Rule 6: a key is used inside its window only', what });
    }
    if (scenario.hasQuery && !isLookedFor(execution, possible, before.operation)) {
      const what = `${mark.call.callId} marked, and no complete empty look of its own is newer than the last mark.`;
      broken.push({ rule: 'Rule 8: a resend rests on a complete empty look after the last mark', what });
    }
  }
  return [...broken, ...brokenByEnding(scenario, before, added, now)];
}

/** What nobody may have sent is dropped, and only what may have been sent is put before a person, at its end. */
function brokenByEnding(
  { contract }: Scenario,
  { events, operation }: Before,
  added: readonly OperationEvent[],
  now: number,
): Broken[] {
  const generation = operation?.current.number ?? 1;
  const possible = possibleMarks(events, generation);
  const broken: Broken[] = [];
  if (added.some(({ kind }) => kind === 'dropped') && operation !== null && operation.state !== 'registered') {
    broken.push({ rule: 'Rule 14: only what was never sent is dropped', what: `It was ${operation.state}.` });
  }
  if (!added.some(({ kind }) => kind === 'escalated')) return broken;
  if (possible.length === 0 || events.some((event) => event.kind === 'escalated' && !isOver(events, event))) {
    broken.push({
      rule: 'Rule 14: it is put before a person once, if it was sent',
      what: `It was ${operation?.state}.`,
    });
  }
  const first = Math.min(...possible.map(({ decidedAt }) => decidedAt));
  if (now <= first + shortestEnd(contract, operation)) {
    broken.push({ rule: 'Rule 14: it is put before a person at its end', what: `It was ${now - first} ms old.` });
  }
  return broken;
}

function shortestEnd({ key, acceptedFor, escalateAfter }: Contract, operation: Operation | null): number {
  if (operation?.state === 'accepted') return acceptedFor;
  return key === 'none' ? escalateAfter : key.window - key.margin;
}

/** What was marked after it began anew. */
function isOver(events: readonly Recorded[], { seq }: Recorded): boolean {
  return events.some((event) => event.kind === 'marked' && event.seq > seq);
}

/** Marks of the generation that may have left. */
function possibleMarks(events: readonly Recorded[], generation: number): Recorded<MarkedEvent>[] {
  return events.filter((event): event is Recorded<MarkedEvent> => {
    if (event.kind !== 'marked' || event.generation !== generation) return false;
    const answers = events.flatMap((other) =>
      other.kind === 'answered' && other.generation === generation && other.attempt === event.attempt
        ? [other.outcome.kind]
        : [],
    );
    return !answers.includes('not-submitted');
  });
}

function isLookedFor({ look }: Decider, marks: readonly Recorded[], operation: Operation | null): boolean {
  if (!look || marks.some(({ seq }) => seq > look.version)) return false;
  return isEmpty(look.evidence, operation?.current.registration?.key);
}

function isEmpty(evidence: Evidence, key: string | undefined): boolean {
  if (evidence.kind !== 'found') return evidence.kind === 'absent';
  return evidence.complete && evidence.effects.every((effect) => effect.key !== null && effect.key !== key);
}
