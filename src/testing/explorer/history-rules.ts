import type { MarkedEvent, Recorded } from '../../operations/event';
import type { Operation } from '../../operations/fold';
import { brokenByAnnouncements } from './announcement-rules';
import type { Engine } from './engine';
import { NOT_OURS } from './provider-model';

/** A rule that a trace breaks. */
export interface Broken {
  /** The rule in the present tense, by its number in the design. */
  readonly rule: string;
  readonly what: string;
}

interface Moment {
  readonly events: readonly Recorded[];
  readonly operation: Operation | null;
}

/** What one save breaks, judged by the history alone and without asking the fold about the alarms themselves. */
export function brokenBySave(
  engine: Engine,
  before: Moment,
  after: Moment,
  added: readonly Recorded[],
  alarmsImpossible: boolean,
): Broken[] {
  const marks = added.filter((event) => event.kind === 'marked');
  return [
    ...marks.flatMap((mark) => brokenByMark(before, after, mark)),
    ...settledIsKept(before, after, added),
    ...alarmsAreSeen(after),
    ...orderMakesNoDifference(engine, after),
    ...brokenByAnnouncements(engine, before, after),
    ...(alarmsImpossible ? noFalseAlarm(after) : []),
  ];
}

function brokenByMark(before: Moment, after: Moment, mark: MarkedEvent): Broken[] {
  const broken: Broken[] = [];
  const own = before.events.filter((event) => 'call' in event && event.call.callId === mark.call.callId);
  const fenced = own.find(
    (event) =>
      event.kind === 'closed' ||
      (event.kind === 'answered' && event.outcome.kind !== 'not-submitted') ||
      (event.kind === 'marked' && event.call.activityAttempt > mark.call.activityAttempt),
  );
  if (fenced) {
    broken.push({
      rule: 'Rule 13: a fenced or closed call marks nothing',
      what: `${mark.call.callId} (activity attempt ${mark.call.activityAttempt}) marked after its ${fenced.kind}.`,
    });
  }
  const isCurrent = mark.generation === before.operation?.current.number;
  if (mark.call.callId.startsWith('reconciliation/') && !isCurrent) {
    const what = `Generation ${mark.generation}.`;
    broken.push({ rule: 'Rule 12: reconciliation sends the current generation and no other', what });
  }
  const state = before.operation?.state;
  const generation = before.operation?.current.number ?? 0;
  if (
    mark.generation === generation + 1 ? state !== undefined && state !== 'rejected' : mark.generation !== generation
  ) {
    broken.push({
      rule: 'Rule 2: a generation opens only after a certain rejection',
      what: `Generation ${mark.generation} was marked while generation ${generation} was ${state}.`,
    });
  }
  if (mark.generation === generation + 1 && isWithoutLeave(before.events, generation)) {
    broken.push({
      rule: "Rule 12: after a person's rejected the next generation needs their leave",
      what: `Generation ${mark.generation} was marked, and the person gave none.`,
    });
  }
  if (
    mark.generation === generation &&
    state !== 'registered' &&
    state !== 'unknown' &&
    state !== 'submitted' &&
    state !== 'dropped'
  ) {
    broken.push({ rule: 'Rule 11: an alarm or a settled truth sends nothing', what: `Marked while it was ${state}.` });
  }
  if (after.operation?.state === 'rejected') {
    broken.push({
      rule: 'Rule 8: a generation that is closed for ever sends nothing',
      what: `Attempt ${mark.attempt} of generation ${mark.generation} was marked, and the operation is rejected.`,
    });
  }
  return broken;
}

function isWithoutLeave(events: readonly Recorded[], generation: number): boolean {
  const said = events.findLast((event) => event.kind === 'resolved' && event.generation === generation);
  return said?.kind === 'resolved' && said.verdict.as === 'rejected' && !said.verdict.allowResend;
}

function settledIsKept(
  { operation: before }: Moment,
  { operation: after }: Moment,
  added: readonly Recorded[],
): Broken[] {
  if (before === null || after === null || added.some((event) => event.kind === 'resolved')) return [];
  if (before.state !== 'confirmed' && before.state !== 'rejected') return [];
  const opened = before.state === 'rejected' && after.current.number > before.current.number;
  const same = after.state === before.state && after.externalId === before.externalId;
  if (opened || same || after.state === 'escalated') return [];
  return [
    {
      rule: 'Rule 11: a settled truth is never silently changed',
      what: `${before.state} ${before.externalId ?? ''} became ${after.state} ${after.externalId ?? ''}.`,
    },
  ];
}

/** Contradictions as plainly as they can be put: two living effects, one that succeeded and failed, one not ours. */
function contradictions(events: readonly Recorded[]): string[] {
  const statuses = new Map<string, Set<string>>();
  const tell = (externalId: string, status: string) => {
    statuses.set(externalId, (statuses.get(externalId) ?? new Set()).add(status));
  };
  for (const event of events) {
    if (event.kind === 'evidence' && event.evidence.kind === 'found') {
      for (const { externalId, status, mismatch } of event.evidence.effects) {
        if (mismatch === null) tell(externalId, status);
      }
    }
    if (event.kind === 'resolved' && event.verdict.as === 'confirmed') tell(event.verdict.externalId, 'succeeded');
    if (event.kind === 'answered') {
      const { outcome } = event;
      if (outcome.kind === 'confirmed') tell(outcome.externalId, 'succeeded');
      if (outcome.kind === 'accepted') tell(outcome.externalId, outcome.status ?? 'pending');
      if (outcome.kind === 'rejected' && outcome.externalId !== null) tell(outcome.externalId, 'failed');
    }
  }
  const alive = [...statuses].filter(([, told]) => !told.has('failed')).map(([name]) => name);
  const both = [...statuses].filter(([, told]) => told.has('succeeded') && told.has('failed')).map(([name]) => name);
  return [
    ...(alive.length > 1 ? [`two effects: ${alive.sort().join(', ')}`] : []),
    ...both.map((name) => `${name} failed after it succeeded`),
    ...(events.some(isNotOurs) ? ['our key brought something else'] : []),
  ];
}

/** By the words of the answer, not by its alarm: that may be what was forgotten. */
function isNotOurs(event: Recorded): boolean {
  return event.kind === 'answered' && event.outcome.kind === 'unknown' && event.outcome.why === NOT_OURS;
}

function alarmsAreSeen({ events, operation }: Moment): Broken[] {
  const person = events.findLast((event) => event.kind === 'resolved');
  const saw = person?.kind === 'resolved' ? person.sawVersion : 0;
  const known = contradictions(events.filter(({ seq }) => seq <= saw));
  const fresh = contradictions(events).filter((fact) => !known.includes(fact));
  if (fresh.length === 0 || operation?.state === 'escalated') return [];
  return [
    { rule: 'Rule 11: an alarm is never hidden', what: `${fresh.join('; ')}, and the state is ${operation?.state}.` },
  ];
}

function noFalseAlarm({ events, operation }: Moment): Broken[] {
  if (operation === null || operation.alarms.length === 0 || events.some(isNotOurs)) return [];
  // After a person's "none", late word of what was pending before it failed is put before them once more.
  if (events.some((event) => event.kind === 'resolved' && event.verdict.as === 'rejected')) return [];
  return [{ rule: 'Rule 11: no alarm while the provider keeps its contract', what: operation.alarms.join(' ') }];
}

/** The last two statements change places: an answer or evidence that came a moment earlier says the same. */
function orderMakesNoDifference(engine: Engine, { events, operation }: Moment): Broken[] {
  const [one, two] = [events.at(-2), events.at(-1)];
  if (operation === null || !one || !two || !isStatement(one) || !isStatement(two)) return [];
  const swapped = engine.fold([...events.slice(0, -2), { ...two, seq: one.seq }, { ...one, seq: two.seq }]);
  const [is, would] = [essence(operation), essence(swapped)];
  if (is === would) return [];
  return [{ rule: 'Rule 10: folding is order-free', what: `${is}, but in the other order ${would}.` }];
}

function isStatement({ kind }: Recorded): boolean {
  return kind === 'answered' || kind === 'evidence';
}

function essence(operation: Operation | null): string {
  if (operation === null) return 'nothing';
  const { state, externalId, alarms, current } = operation;
  return JSON.stringify({ state, externalId, alarms, generation: current.number });
}
