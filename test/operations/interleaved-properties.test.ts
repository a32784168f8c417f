// Needs nothing.
import fc from 'fast-check';
import { announcementsOf, willHear } from '../../src/operations/announcements';
import { isPossible } from '../../src/operations/attempt';
import { firstDue, nextDue } from '../../src/operations/due';
import type { OperationEvent, Recorded } from '../../src/operations/event';
import { eventText } from '../../src/operations/event-text';
import { fold, type Operation } from '../../src/operations/fold';
import type { Reply, ReplyCode } from '../../src/operations/reply';
import { settlementNotice } from '../../src/operations/settlement-notice';
import { isSettled, STATES, type State, stateAt } from '../../src/operations/state';
import { PROPERTY_MS, runs } from '../support/property-runs';
import { OPERATION_ID } from './fixtures';
import { type History, play, program } from './interleaved-history';
import { VERBATIM_CODES } from './reply-codes';

function foldOf(events: readonly Recorded[]): Operation {
  const operation = fold(events);
  if (operation === null) throw new Error('The history registers nothing.');
  return operation;
}

/** Every history that the product had on the way to this one. */
function stages({ events }: History): Recorded[][] {
  return events.map((_, index) => events.slice(0, index + 1));
}

/** Calls in the middle of each other, of people, webhooks and closings. One after the other: history-properties.test.ts. */

/** Draws whole numbers from 0 up to below the given one, the same again when the property is tried again. */
const draws = fc.array(fc.nat(999), { minLength: 1, maxLength: 12 }).map((drawn) => {
  let next = 0;
  return (below: number) => (drawn[next++ % drawn.length] ?? 0) % below;
});

describe('the fold of histories whose writers ran into each other', () => {
  const reached = new Set<State>();

  test(
    'never throws at any stage, nor does anything that reads it, and gives one of the states',
    () => {
      fc.assert(
        fc.property(program, (run) => {
          const history = play(run);
          for (const events of stages(history)) {
            const operation = foldOf(events);
            reached.add(operation.state);
            expect(STATES).toContain(operation.state);
            expect(operation.version).toBe(events.length);
            for (const event of events) expect(eventText(event, events)).not.toBe('');
            const due = nextDue(operation, events, history.contract, history.now, 3);
            expect(due === null || Number.isFinite(due)).toBe(true);
            const first = firstDue(operation, events);
            expect(first === null || Object.values(first).every(Number.isFinite)).toBe(true);
            for (const { sessionId } of announcementsOf(events, 1)) expect(typeof sessionId).toBe('string');
            expect(settlementNotice(operation, OPERATION_ID) === null).toBe(!isSettled(operation.state));
          }
        }),
        runs(150),
      );
      // The programs are varied enough that each state comes up.
      expect([...reached].sort()).toEqual([...STATES].sort());
    },
    PROPERTY_MS,
  );

  test(
    'is the same of what a ledger gives back as of what it was handed',
    () => {
      fc.assert(
        fc.property(program, (run) => {
          const { handedOver, events } = play(run);
          expect(fold(JSON.parse(JSON.stringify(events)))).toEqual(fold(events));
          expect(fold(handedOver)).toEqual(fold(events));
        }),
        runs(80),
      );
    },
    PROPERTY_MS,
  );

  test(
    'does not depend on the order of what is told between two acts of ours',
    () => {
      let moved = 0;
      fc.assert(
        fc.property(program, draws, (run, draw) => {
          const { events } = play(run);
          for (let nth = 0; nth < 3; nth++) {
            const other = shuffledRuns(events, draw);
            if (JSON.stringify(other) === JSON.stringify(events)) continue;
            moved += 1;
            expect(essence(fold(other))).toEqual(essence(fold(events)));
          }
        }),
        runs(400),
      );
      expect(moved).toBeGreaterThan(0);
    },
    PROPERTY_MS,
  );

  test(
    'says the same when anything that was told is told again, at any time after it',
    () => {
      let repeated = 0;
      fc.assert(
        fc.property(program, draws, (run, draw) => {
          const { events } = play(run);
          for (const again of events.filter((event) => isTold(event) && !isOfNothingSent(event, events))) {
            const places = events.filter(({ seq }) => seq >= again.seq && !isWithinAPersonsView(seq, events));
            const place = places[draw(Math.max(1, places.length))];
            if (place === undefined) continue;
            repeated += 1;
            const other = renumbered([...events.slice(0, place.seq), again, ...events.slice(place.seq)]);
            expect(essence(fold(other))).toEqual(essence(fold(events)));
          }
        }),
        runs(400),
      );
      expect(repeated).toBeGreaterThan(0);
    },
    PROPERTY_MS,
  );
});

/** What came from the provider: answers and evidence. All else are acts of ours, which have their order. */
function isTold(event: OperationEvent): boolean {
  return event.kind === 'answered' || event.kind === 'evidence';
}

/**
 * An effect without a key, seen when nothing could have left yet: by the contract it cannot be. It is taken for the first
 * generation's; told again after a later one was sent, it is taken for that one's.
 */
function isOfNothingSent(event: Recorded, events: readonly Recorded[]): boolean {
  if (event.kind !== 'evidence' || event.evidence.kind !== 'found') return false;
  const attempts = fold(events)?.generations.flatMap((generation) => generation.attempts) ?? [];
  return (
    event.evidence.effects.some(({ key }) => key === null) &&
    !attempts.some((attempt) => isPossible(attempt) && attempt.markedSeq < event.seq)
  );
}

/** A person's act names the version they saw: nothing is put between that and the act. */
function isWithinAPersonsView(seq: number, events: readonly Recorded[]): boolean {
  return events.some((event) => event.kind === 'resolved' && seq >= event.sawVersion && seq < event.seq);
}

/** Shuffles what was told within each run of it; a version that a person saw ends a run. */
function shuffledRuns(events: readonly Recorded[], pick: (below: number) => number): Recorded[] {
  const seenVersions = new Set(events.flatMap((event) => (event.kind === 'resolved' ? [event.sawVersion] : [])));
  const out: Recorded[] = [];
  let run: Recorded[] = [];
  const flush = () => {
    out.push(...run);
    run = [];
  };
  for (const event of events) {
    if (isTold(event)) run.splice(pick(run.length + 1), 0, event);
    else {
      flush();
      out.push(event);
    }
    if (seenVersions.has(event.seq)) flush();
  }
  flush();
  return out.map((event, index): Recorded => ({ ...event, seq: index + 1 }));
}

/** With one event more: later places and the versions that people saw move on with what they stand for. */
function renumbered(events: readonly Recorded[]): Recorded[] {
  return events.map((event, index): Recorded => {
    const seq = index + 1;
    return event.kind === 'resolved'
      ? { ...event, seq, sawVersion: seq - (event.seq - event.sawVersion) }
      : { ...event, seq };
  });
}

/** All that decides anything. Who told it first may differ, and so may which of several reasons is the last. */
function essence(operation: Operation | null) {
  if (operation === null) return null;
  const { state, externalId, alarms, generations, calls, customers, person } = operation;
  return {
    state,
    externalId: alarms.length > 0 ? null : externalId,
    alarms,
    customers,
    person: person?.verdict ?? null,
    calls: [...calls].sort(([one], [other]) => (one < other ? -1 : 1)),
    generations: generations.map(({ number, attempts, neverAccepted, dropped, waitsFor, escalated }) => ({
      ...{ number, neverAccepted: neverAccepted !== null, dropped, waitsFor, escalated },
      attempts: attempts.map(({ number: nth, outcome }) => [
        nth,
        outcome?.kind === 'unknown' ? outcome.resend : (outcome?.kind ?? null),
      ]),
    })),
  };
}

/** The design's section 2, word for word: what a call hears of an operation that is sent, and of one that is not. */
const CODES_OF: Readonly<Record<State, readonly ReplyCode[]>> = {
  registered: ['waiting', 'not_submitted'],
  submitted: ['in_progress'],
  accepted: ['in_progress'],
  unknown: ['outcome_unknown'],
  confirmed: ['done', 'already_done'],
  rejected: ['rejected'],
  dropped: ['not_submitted'],
  escalated: ['escalated'],
};

const OPEN: readonly State[] = ['submitted', 'accepted', 'unknown', 'escalated'];
const SOUNDS_LIKE_FAILURE =
  /fail|refus|reject|declin|denied|cancel|error|no effect|had none|not (been )?(sent|submitted|carried)|nothing (left|was)|again be made|may be made again/i;

describe('a reply', () => {
  test(
    'that ends a call is true of the operation as the ledger holds it then, however calls run into each other',
    () => {
      const codes = new Set<ReplyCode>();
      fc.assert(
        fc.property(program, (run) => {
          for (const { reply, setup, events, now } of play(run).told) {
            codes.add(reply.code);
            expectForm(reply);
            const operation = foldOf(events);
            const state = stateAt(operation, now, setup.call);
            if (OPEN.includes(state)) {
              expect([...OPEN.flatMap((open) => CODES_OF[open]), 'conflict']).toContain(reply.code);
              if (reply.code !== 'conflict') expect(reply.text).not.toMatch(SOUNDS_LIKE_FAILURE);
            }
            if (reply.code === 'done' || reply.code === 'already_done') expect(state).toBe('confirmed');
            if (reply.code === 'rejected' && state !== 'rejected')
              expect(setup.generation).toBeLessThan(operation.current.number);
            // Who was promised to hear is noted, or nobody would tell them.
            if (reply.retryAction === 'query-status' && isACustomers(setup)) {
              expect(isSettled(operation.state) || willHear(operation, events, setup.call.sessionId)).toBe(true);
            }
          }
        }),
        runs(250),
      );
      const all = VERBATIM_CODES.map(([code]) => code).filter((code) => code !== 'approval_required');
      expect([...codes].sort()).toEqual([...all].sort());
    },
    PROPERTY_MS,
  );
});

function isACustomers({ purpose, call }: History['told'][number]['setup']): boolean {
  return (purpose === 'send' || purpose === 'look') && call.sessionId !== '';
}

function expectForm({ text, isError, code, retryAction, operationId }: Reply): void {
  expect(VERBATIM_CODES).toContainEqual([code, isError, retryAction]);
  expect(operationId).toBe(OPERATION_ID);
  // A refusal is the tool's own sentence; all others name the operation.
  if (code !== 'invalid_input') expect(text).toContain(OPERATION_ID);
}
