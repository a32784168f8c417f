// Needs nothing.
import fc from 'fast-check';
import type { Recorded } from '../../src/operations/event';
import { fold, type Operation } from '../../src/operations/fold';
import { type Reply, replyFor } from '../../src/operations/reply';
import { STATES, stateAt } from '../../src/operations/state';
import { type Pick, picks } from '../support/picks';
import { runs } from '../support/property-runs';
import { OPERATION_ID } from './fixtures';
import { VERBATIM_CODES } from './reply-codes';
import { CANARY, reader, type Written, written } from './written-histories';

/** On histories that the product itself wrote, by its stepper and its rules. Statements alone: fold-properties.test.ts. */

function folded(events: readonly Recorded[]): Operation {
  const operation = fold(events);
  if (operation === null) throw new Error('A written history has an operation.');
  return operation;
}

/** What must not depend on the order in which evidence and answers came. */
function essence({ state, externalId, alarms, current, generations, calls, sightings }: Operation) {
  return {
    ...{ state, alarms, generation: current.number },
    externalId: alarms.length > 0 ? null : externalId,
    generations: generations.map(({ attempts, neverAccepted, dropped, registration, escalated, waitsFor }) => ({
      ...{
        neverAccepted: neverAccepted !== null,
        dropped,
        registration: registration?.key ?? null,
        escalated,
        waitsFor,
      },
      attempts: attempts.map(({ outcome }) => (outcome?.kind === 'unknown' ? outcome.resend : (outcome?.kind ?? null))),
    })),
    calls: [...calls].map(([call, truth]) => `${call} ${JSON.stringify(truth)}`).sort(),
    sightings: new Set(sightings.map(({ seq: _seq, source: _source, ...what }) => JSON.stringify(what))),
  };
}

const isOrderFree = (event: Recorded | undefined) => event?.kind === 'answered' || event?.kind === 'evidence';

/** The history with its answers and evidence in another order, wherever nothing else and no person's look lies between. */
function reordered(events: readonly Recorded[], pick: Pick): Recorded[] {
  const looks = new Set(events.flatMap((event) => (event.kind === 'resolved' ? [event.sawVersion] : [])));
  const parts: Recorded[][] = [[]];
  for (const event of events) {
    const last = parts.at(-1) ?? [];
    if (isOrderFree(event) && isOrderFree(last.at(-1)) && !looks.has(event.seq - 1)) last.push(event);
    else parts.push([event]);
  }
  const shuffled = parts.flatMap((part) => {
    const mixed: Recorded[] = [];
    for (const event of part) mixed.splice(pick(mixed.length + 1), 0, event);
    return mixed;
  });
  return shuffled.map((event, index): Recorded => ({ ...event, seq: index + 1 }));
}

/** Whether no provider gave one number under two keys: what comes again without a key is then nobody's, and an alarm. */
function hasOneOwnerEach({ sightings }: Operation): boolean {
  const owners = new Map<string, Set<unknown>>();
  for (const { externalId, generation } of sightings) {
    owners.set(externalId, (owners.get(externalId) ?? new Set()).add(generation));
  }
  return [...owners.values()].every(({ size }) => size === 1);
}

describe('the fold of what the product wrote', () => {
  test('is an operation after every event, and the same of what comes back as JSON', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(written, ({ events }) => {
        for (let length = 1; length <= events.length; length++) {
          const part = events.slice(0, length);
          const operation = fold(part);
          // Events of one save stand together: only a part of the first one is no operation yet.
          if (operation === null) throw new Error(`Nothing of ${part.map(({ kind }) => kind).join(', ')}.`);
          expect(STATES).toContain(operation.state);
          expect(operation.version).toBe(length);
          seen.add(operation.state);
          if (operation.generations.length > 1) seen.add('a second generation');
          if (operation.alarms.length > 0) seen.add('an alarm');
          if (operation.person !== null) seen.add('a person');
        }
        const read: Recorded[] = JSON.parse(JSON.stringify(events));
        expect(fold(read)).toEqual(fold(events));
      }),
      runs(250),
    );
    expect([...seen].sort()).toEqual([...STATES, 'a second generation', 'an alarm', 'a person'].sort());
  });

  test('does not read the times of commits, nor how events were put into saves', () => {
    fc.assert(
      fc.property(written, picks, ({ events }, pick) => {
        let at = 0;
        const later = events.map((event): Recorded => {
          at += pick(3) * 90_000_000;
          return { ...event, at };
        });
        // A person's word is kept as the event it is, with its time.
        expect({ ...folded(later), person: null }).toEqual({ ...folded(events), person: null });
      }),
      runs(200),
    );
  });

  test('is the same when answers and evidence came in another order', () => {
    let moved = 0;
    fc.assert(
      fc.property(written, picks, ({ events }, pick) => {
        const other = reordered(events, pick);
        if (JSON.stringify(other) !== JSON.stringify(events)) moved += 1;
        expect(essence(folded(other))).toEqual(essence(folded(events)));
      }),
      runs(500),
    );
    expect(moved).toBeGreaterThan(0);
  });

  test('is the same when any of its answers and evidence come again, once or often', () => {
    fc.assert(
      fc.property(written, picks, ({ events }, pick) => {
        const free = events.filter(isOrderFree);
        fc.pre(free.length > 0 && hasOneOwnerEach(folded(events)));
        const again = Array.from({ length: 1 + pick(3) }, () => free[pick(free.length)]).filter(
          (one) => one !== undefined,
        );
        const more = [...events, ...again].map((event, index): Recorded => ({ ...event, seq: index + 1 }));
        expect(essence(folded(more))).toEqual(essence(folded(events)));
      }),
      runs(500),
    );
  });

  test('forgets nothing: what was registered, sent, seen and proven stays, and an alarm until a person looked', () => {
    fc.assert(
      fc.property(written, ({ events }) => {
        let before: Operation | null = null;
        for (let length = 1; length <= events.length; length++) {
          const after: Operation = folded(events.slice(0, length));
          if (before !== null) expectNothingForgotten(before, after, events[length - 1]);
          before = after;
        }
      }),
      runs(250),
    );
  });
});

function expectNothingForgotten(before: Operation, after: Operation, event: Recorded | undefined): void {
  const numbers = after.generations.map(({ number }) => number);
  for (const generation of before.generations) {
    const now = after.generations.find(({ number }) => number === generation.number);
    expect(numbers).toContain(generation.number);
    expect(now?.attempts.slice(0, generation.attempts.length).map(({ call }) => call)).toEqual(
      generation.attempts.map(({ call }) => call),
    );
    if (generation.neverAccepted !== null) expect(now?.neverAccepted).toBe(generation.neverAccepted);
    if (generation.registration !== null && generation.dropped === null) {
      expect(now?.registration).toEqual(generation.registration);
    }
    generation.attempts.forEach(({ outcome }, index) => {
      if (outcome !== null && outcome.kind !== 'unknown') expect(now?.attempts[index]?.outcome).toEqual(outcome);
    });
  }
  const told = (operation: Operation) =>
    operation.sightings.map(({ seq, externalId, status }) => `${seq} ${externalId} ${status}`);
  expect(told(after)).toEqual(expect.arrayContaining(told(before)));
  if (event?.kind !== 'resolved') expect(after.alarms).toEqual(expect.arrayContaining([...before.alarms]));
  for (const [call, truth] of before.calls) {
    expect(after.calls.get(call)).toMatchObject({
      ...(truth.closed && { closed: true }),
      ...(truth.answered && { answered: true }),
    });
  }
}

describe('a reply', () => {
  interface Asked {
    readonly reply: Reply;
    readonly operation: Operation;
    readonly events: readonly Recorded[];
    readonly state: Operation['state'];
    readonly marked: readonly number[];
    /** The generation asked for is the current one. */
    readonly isCurrent: boolean;
  }

  const asked: fc.Arbitrary<Asked> = fc
    .record({
      history: written,
      upTo: fc.nat(),
      other: reader,
      /** The call that sent last, or any. */
      isSender: fc.boolean(),
      generation: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
      later: fc.constantFrom(0, 41_000, 90_000_000),
    })
    .map(({ history, upTo, other, isSender, generation, later }): Asked => {
      const events = partOf(history, upTo);
      const operation = folded(events);
      const sent = isSender ? events.findLast((event) => event.kind === 'marked') : undefined;
      const call = sent?.call ?? other;
      const { callId, activityAttempt } = call;
      const ofGeneration = generation === undefined ? {} : { generation };
      const subject = { tool: 'refund_line_item', operationId: OPERATION_ID, callId, activityAttempt, ...ofGeneration };
      const now = (events.at(-1)?.at ?? 0) + later;
      return {
        ...{ operation, events, reply: replyFor(operation, subject, now) },
        state: stateAt(operation, now, subject),
        marked: operation.calls.get(callId)?.marked ?? [],
        isCurrent: (generation ?? operation.current.number) === operation.current.number,
      };
    });

  test('has for every state that can be reached the code of the design, with its flag and its action', () => {
    const codes = new Set<string>();
    fc.assert(
      fc.property(asked, ({ reply, operation, state, marked, isCurrent }) => {
        codes.add(reply.code);
        expect(VERBATIM_CODES).toContainEqual([reply.code, reply.isError, reply.retryAction]);
        expect(reply).toMatchObject({ operationId: OPERATION_ID, attempts: expect.any(Number) });
        expect(reply.text).toContain(OPERATION_ID);
        const [isMine, waits] = [marked.includes(operation.current.number), operation.current.waitsFor !== null];
        const ofEarlier = !isCurrent && (state === 'registered' || state === 'dropped') ? ['rejected'] : [];
        expect(
          {
            registered: [waits ? 'waiting' : 'not_submitted', ...ofEarlier],
            submitted: ['in_progress'],
            accepted: ['in_progress'],
            unknown: ['outcome_unknown'],
            confirmed: [isMine ? 'done' : 'already_done'],
            rejected: ['rejected'],
            dropped: ['not_submitted', ...ofEarlier],
            escalated: ['escalated'],
          }[state],
        ).toContain(reply.code);
      }),
      runs(600),
    );
    const reachable = VERBATIM_CODES.map(([code]) => code).filter(
      // Told before anything is folded, or by what is not built yet.
      (code) => !['approval_required', 'conflict', 'invalid_input'].includes(code),
    );
    expect([...codes].sort()).toEqual(reachable.sort());
  });

  test('says rejected, not submitted or done only where the events themselves say so', () => {
    fc.assert(
      fc.property(asked, ({ reply, events, operation, isCurrent }) => {
        if (!isCurrent) return;
        const own = events.filter(({ generation }) => generation === operation.current.number);
        const marks = own.flatMap((event) => (event.kind === 'marked' ? [event.attempt] : []));
        const outcomes = own.flatMap((event) => (event.kind === 'answered' ? [event] : []));
        const answerTo = (mark: number) =>
          outcomes.filter(({ attempt }) => attempt === mark).map(({ outcome: { kind } }) => kind);
        const effects = events.flatMap((event) =>
          event.kind === 'evidence' && event.evidence.kind === 'found' ? event.evidence.effects : [],
        );
        const person = own.flatMap((event) => (event.kind === 'resolved' ? [event.verdict.as] : [])).at(-1);
        switch (reply.code) {
          case 'done':
          case 'already_done': {
            const told = outcomes.some(({ outcome }) => outcome.kind === 'confirmed');
            const seen = effects.some(({ status, mismatch }) => status === 'succeeded' && mismatch === null);
            expect(told || seen || person === 'confirmed').toBe(true);
            return;
          }
          case 'rejected': {
            const all = outcomes.some(({ outcome }) => outcome.kind === 'rejected' && outcome.covers === 'all');
            const each =
              marks.length > 0 &&
              marks.every((mark) => answerTo(mark).some((kind) => kind === 'rejected' || kind === 'not-submitted'));
            const failed = effects.some(({ status, mismatch }) => status === 'failed' && mismatch === null);
            const copies = outcomes.some(({ outcome }) => outcome.kind === 'rejected' && outcome.externalId !== null);
            const proven = own.some((event) => event.kind === 'evidence' && event.final);
            expect(all || each || failed || copies || proven || person === 'rejected').toBe(true);
            return;
          }
          case 'not_submitted':
            expect(marks.every((mark) => answerTo(mark).includes('not-submitted'))).toBe(true);
            return;
          case 'outcome_unknown':
            expect(marks.length).toBeGreaterThan(0);
            return;
          default:
            return;
        }
      }),
      runs(600),
    );
  });

  test('never speaks of failure while nobody knows, and says that nothing is to be sent again', () => {
    const OPEN = ['outcome_unknown', 'in_progress', 'waiting', 'escalated'];
    fc.assert(
      fc.property(asked, ({ reply }) => {
        if (!OPEN.includes(reply.code)) return;
        expect(reply.text).not.toMatch(
          /fail|reject|refus|declin|denied|unsuccessful|no effect|not carried out|nothing was/i,
        );
        expect(reply.text).toMatch(/tell the customer/i);
        if (reply.code === 'outcome_unknown') {
          expect(reply.text).toMatch(/It was sent .*may have taken effect\. Do not send it again/);
          expect(reply.text).toMatch(/finding out.*they will hear/);
        }
      }),
      runs(500),
    );
  });

  test('tells nothing of the request, the provider’s words, other sessions and customers, or what is not ours', () => {
    fc.assert(
      fc.property(asked, ({ reply, events }) => {
        expect(JSON.stringify(events)).toContain(CANARY);
        expect(JSON.stringify(reply)).not.toContain(CANARY);
      }),
      runs(600),
    );
  });
});

function partOf({ events }: Written, upTo: number): readonly Recorded[] {
  return events.slice(0, 1 + (upTo % events.length));
}
