// Needs nothing.
import fc from 'fast-check';
import { laterOutcome } from '../../src/operations/attempt';
import type { OperationEvent, PersonVerdict, Recorded } from '../../src/operations/event';
import type { FoundEffect } from '../../src/operations/evidence';
import { fold, type Operation } from '../../src/operations/fold';
import type { Outcome } from '../../src/operations/outcome';
import { isErrorCode, replyFor, retryActionOf } from '../../src/operations/reply';
import { resolve } from '../../src/operations/resolution';
import { STATES } from '../../src/operations/state';
import {
  ABSENT,
  AT_13_00,
  accepted,
  answered,
  CALL_A,
  CALL_B,
  closed,
  confirmed,
  copy,
  escalated,
  evidence,
  found,
  INCONCLUSIVE,
  KEY_1,
  KEY_2,
  marked,
  NONE_SEND_AGAIN,
  NOON,
  notOurs,
  notSubmitted,
  OPERATION_ID,
  recorded,
  registered,
  rejected,
  said,
  unknown,
} from './fixtures';

const externalId = fc.constantFrom('re_1', 're_2', 're_3');

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  externalId.map((id) => confirmed(id)),
  externalId.map((id) => accepted(id)),
  fc.tuple(fc.constantFrom('pending', 'succeeded', 'failed'), externalId).map(([status, id]) => copy(status, id)),
  fc.tuple(fc.constantFrom('all', 'attempt'), fc.option(externalId)).map(([covers, id]) => rejected(covers, id)),
  fc.constant(notSubmitted()),
  fc.constantFrom('allowed', 'pointless', 'unsafe').map((resend) => unknown(resend)),
  fc.constant(notOurs()),
);

/** An attempt has one try: a time-out and one answer are all that can be told of it, in either order. */
const answers: fc.Arbitrary<readonly Outcome[]> = fc
  .tuple(fc.option(outcome), fc.boolean(), fc.boolean())
  .map(([answer, timedOut, late]) => {
    const known = answer === null ? [] : [answer];
    const unheard = timedOut ? [unknown()] : [];
    return late ? [...unheard, ...known] : [...known, ...unheard];
  });

const foundEffect: fc.Arbitrary<FoundEffect> = fc.record({
  externalId,
  status: fc.constantFrom('pending', 'succeeded', 'failed'),
  key: fc.constantFrom(KEY_1, KEY_2, 'refund-9', null),
  mismatch: fc.constantFrom(null, null, null, 'its amount is 5, not 4900'),
});

const seen: fc.Arbitrary<OperationEvent> = fc
  .record({
    what: fc.oneof(
      fc
        .tuple(fc.array(foundEffect, { minLength: 1, maxLength: 2 }), fc.boolean())
        .map(([effects, all]) => found(effects, all)),
      fc.constantFrom(ABSENT, INCONCLUSIVE),
    ),
    source: fc.constantFrom('query', 'webhook'),
    begunAt: fc.constantFrom(NOON, AT_13_00),
    final: fc.boolean(),
  })
  .map(({ what, source, begunAt, final }) =>
    evidence(what, { source, begunAt, final: final && what.kind === 'absent' }),
  );

/** Up to two marked attempts, and then what was told of them, in any order. */
const statements: fc.Arbitrary<{ marks: OperationEvent[]; told: OperationEvent[] }> = fc
  .tuple(answers, fc.option(answers), fc.array(seen, { maxLength: 3 }))
  .map(([first, second, looks]) => ({
    marks: second === null ? [registered(), marked()] : [registered(), marked(), marked(1, 2, { call: CALL_B })],
    told: [...first.map((one) => answered(one)), ...(second ?? []).map((one) => answered(one, 1, 2, CALL_B)), ...looks],
  }));

function essence(operation: Operation | null) {
  if (operation === null) return null;
  const { state, externalId: number, alarms, current, generations, calls } = operation;
  return {
    state,
    externalId: alarms.length > 0 ? null : number,
    alarms,
    generation: current.number,
    neverAccepted: generations.map(({ neverAccepted }) => neverAccepted !== null),
    resend: current.attempts.map(({ outcome: one }) => (one?.kind === 'unknown' ? one.resend : (one?.kind ?? null))),
    answered: [...calls].map(([call, truth]) => `${call} ${truth.answered}`).sort(),
  };
}

describe('the fold', () => {
  test('does not depend on the order of answers and evidence between two marks', () => {
    fc.assert(
      fc.property(
        statements.chain(({ marks, told }) =>
          fc.record({
            marks: fc.constant(marks),
            told: fc.constant(told),
            shuffled: fc.shuffledSubarray(told, { minLength: told.length }),
          }),
        ),
        ({ marks, told, shuffled }) => {
          expect(essence(fold(recorded(...marks, ...shuffled)))).toEqual(essence(fold(recorded(...marks, ...told))));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('says the same when evidence and answers come again', () => {
    fc.assert(
      fc.property(statements, ({ marks, told }) => {
        const once = fold(recorded(...marks, ...told));
        const twice = fold(recorded(...marks, ...told, ...told));
        expect(essence(twice)).toEqual(essence(once));
      }),
      { numRuns: 1_000 },
    );
  });

  test('survives JSON: what the ledger gives back is what was folded', () => {
    fc.assert(
      fc.property(statements, ({ marks, told }) => {
        const events = recorded(...marks, ...told);
        const read: Recorded[] = JSON.parse(JSON.stringify(events));
        expect(fold(read)).toEqual(fold(events));
      }),
    );
  });

  test('gives one of the states, and an alarm is escalated whatever else is said', () => {
    fc.assert(
      fc.property(statements, fc.boolean(), ({ marks, told }, waiting) => {
        const operation = fold(recorded(...marks, ...told, ...(waiting ? [escalated()] : [])));
        expect(STATES).toContain(operation?.state);
        if (operation && operation.alarms.length > 0) {
          expect(operation).toMatchObject({ state: 'escalated', reason: operation.alarms.join(' '), resolvedBy: null });
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('never says rejected while an effect is known that stands, nor confirmed where none succeeded', () => {
    fc.assert(
      fc.property(statements, ({ marks, told }) => {
        const operation = fold(recorded(...marks, ...told));
        const statuses = operation?.sightings.filter(({ mismatch }) => mismatch === null).map(({ status }) => status);
        if (operation?.state === 'rejected') expect(statuses?.every((status) => status !== 'succeeded')).toBe(true);
        if (operation?.state === 'confirmed') expect(statuses).toContain('succeeded');
      }),
      { numRuns: 2_000 },
    );
  });

  test('says rejected only where no attempt is left of which nobody knows', () => {
    fc.assert(
      fc.property(statements, ({ marks, told }) => {
        const operation = fold(recorded(...marks, ...told));
        if (operation?.state !== 'rejected' || operation.current.neverAccepted !== null) return;
        const outcomes = operation.current.attempts.map((attempt) => attempt.outcome);
        const all = outcomes.some((one) => one?.kind === 'rejected' && one.covers === 'all');
        const failed = operation.sightings.some(({ status }) => status === 'failed');
        const each = outcomes.every((one) => one?.kind === 'rejected' || one?.kind === 'not-submitted');
        expect(all || failed || each).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('two answers to one attempt', () => {
  test('say the same in either order where one of them is the time-out', () => {
    fc.assert(
      fc.property(outcome, (answer) => {
        const [one, other] = [laterOutcome(unknown(), answer), laterOutcome(answer, unknown())];
        expect(kindOf(one)).toEqual(kindOf(other));
        expect(laterOutcome(null, answer)).toBe(answer);
      }),
    );
  });

  test('keep the stricter word about resending', () => {
    expect(laterOutcome(unknown('pointless'), unknown('allowed'))).toMatchObject({ resend: 'pointless' });
    expect(laterOutcome(unknown('allowed'), unknown('pointless'))).toMatchObject({ resend: 'pointless' });
    expect(laterOutcome(unknown('pointless'), unknown('unsafe'))).toMatchObject({ resend: 'unsafe' });
  });
});

function kindOf(one: Outcome): string {
  return one.kind === 'unknown' ? `unknown ${one.resend}` : JSON.stringify(one);
}

describe("a person's rejected", () => {
  const verdict: PersonVerdict = NONE_SEND_AGAIN;

  test('is never taken while an effect is known that stands, or before everything could have arrived', () => {
    fc.assert(
      fc.property(
        statements,
        fc.constantFrom(null, NOON, AT_13_00),
        fc.boolean(),
        ({ marks, told }, lookedAt, hasQuery) => {
          const events = recorded(...marks, ...told);
          const operation = fold(events);
          const act = { by: 'ops-3', note: 'seen', sawVersion: events.length, verdict, lookedAt };
          if (resolve(operation, events, act, hasQuery).kind === 'refused') return;
          const standing = new Set(
            operation?.sightings
              .filter(({ mismatch, status }) => mismatch === null && status === 'succeeded')
              .map((one) => one.externalId),
          );
          for (const { externalId: number, status } of operation?.sightings ?? []) {
            if (status === 'failed') standing.delete(number);
          }
          expect([...standing]).toEqual([]);
          const mayArrive = operation?.current.attempts.some((attempt) => attempt.outcome?.kind !== 'not-submitted');
          if (!mayArrive) return;
          const looks = events.filter(
            (event) =>
              event.kind === 'evidence' &&
              event.begunAt === AT_13_00 &&
              (event.evidence.kind === 'absent' || (event.evidence.kind === 'found' && event.evidence.complete)),
          );
          expect(hasQuery ? looks.length > 0 : lookedAt === AT_13_00).toBe(true);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test('is never taken with eyes on an older version than the last evidence', () => {
    fc.assert(
      fc.property(statements, seen, ({ marks, told }, news) => {
        fc.pre(news.kind === 'evidence' && (news.evidence.kind === 'found' || news.final));
        const events = recorded(...marks, ...told, news);
        const act = { by: 'ops-3', note: 'seen', sawVersion: events.length - 1, verdict, lookedAt: AT_13_00 };
        expect(resolve(fold(events), events, act, false)).toMatchObject({ kind: 'refused' });
      }),
    );
  });

  test('stays what it is, or becomes an alarm, whatever is told after it', () => {
    fc.assert(
      fc.property(statements, fc.array(seen, { maxLength: 2 }), ({ marks, told }, news) => {
        const before = recorded(...marks, ...told);
        const operation = fold([
          ...before,
          ...recorded(...before, said(verdict, before.length), ...news).slice(before.length),
        ]);
        expect(['rejected', 'escalated']).toContain(operation?.state);
      }),
    );
  });
});

describe('a reply', () => {
  test('has the flag and the action of its code, and the truth of the operation', () => {
    const caller = fc.constantFrom(CALL_A, CALL_B, { ...CALL_A, callId: 'another' });
    fc.assert(
      fc.property(
        statements,
        caller,
        fc.boolean(),
        fc.constantFrom(NOON, AT_13_00),
        ({ marks, told }, call, over, now) => {
          const operation = fold(recorded(...marks, ...told, ...(over ? [closed(call)] : [])));
          if (operation === null) throw new Error('The fixture registers nothing.');
          const { callId, activityAttempt } = call;
          const subject = { tool: 'refund_line_item', operationId: OPERATION_ID, callId, activityAttempt };
          const reply = replyFor(operation, subject, now);
          expect(reply.isError).toBe(isErrorCode(reply.code));
          expect(reply.retryAction).toBe(retryActionOf(reply.code));
          expect(reply.externalId).toBe(operation.externalId);
          if (reply.code === 'not_submitted') {
            expect(operation.current.attempts.every((attempt) => attempt.outcome?.kind === 'not-submitted')).toBe(true);
          }
          if (reply.code === 'rejected') expect(operation.state).toBe('rejected');
          if (reply.code === 'done' || reply.code === 'already_done') expect(operation.state).toBe('confirmed');
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
