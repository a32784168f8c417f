import fc from 'fast-check';
import { closingEvents } from '../../src/operations/closing';
import type { Contract } from '../../src/operations/contract';
import type { CallRef, OperationEvent, Recorded } from '../../src/operations/event';
import type { Evidence, FoundEffect } from '../../src/operations/evidence';
import { fold } from '../../src/operations/fold';
import type { Outcome } from '../../src/operations/outcome';
import type { PerformSetup } from '../../src/operations/perform';
import { plannedGeneration } from '../../src/operations/plan';
import { judgeRedo } from '../../src/operations/redo';
import { resolve } from '../../src/operations/resolution';
import { webhookEvidence } from '../../src/operations/webhook-evidence';
import { drive, LedgerOfOne, setup } from './drive';
import { CONTRACT, INTENT, KEY_1, KEY_2, OPERATION_ID, PROVEN } from './fixtures';

/** Stands in everything that no call may be told: a reply with it tells too much. */
export const CANARY = 'canary';

const receipt = { requestId: `req_${CANARY}`, httpStatus: 500, detail: `${CANARY}: the provider's own words` };
const request = { account: `acct_${CANARY}`, path: `POST /${CANARY}`, version: CANARY, body: `card=${CANARY}` };

const CALLS: readonly CallRef[] = [0, 1, 2, 3].map((nth) => ({
  callId: `${CANARY}-chat-${nth % 3}/${nth}/1/0`,
  activityAttempt: 1,
  sessionId: `${CANARY}-chat-${nth % 3}`,
  customer: `${CANARY}-customer-${nth % 2}`,
}));
export const NOBODYS_CALL: CallRef = { callId: 'reconcile', activityAttempt: 1, sessionId: '', customer: '' };

const CONTRACTS: readonly Contract[] = [
  CONTRACT,
  PROVEN,
  { ...CONTRACT, key: 'none' },
  {
    ...CONTRACT,
    key: { window: 86_400_000, margin: 1_800_000, maxLength: 255, replays: 'successes' } as Contract['key'],
  },
];

const externalId = fc.constantFrom('re_1', 're_1', 're_2');
const status = fc.constantFrom('pending', 'succeeded', 'succeeded', 'failed');

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  externalId.map((id): Outcome => ({ kind: 'confirmed', externalId: id, receipt })),
  externalId.map((id): Outcome => ({ kind: 'accepted', externalId: id, replayed: false, receipt })),
  fc.tuple(externalId, status).map(
    ([id, then]): Outcome => ({
      ...({ kind: 'accepted', externalId: id, replayed: true } as const),
      ...{ status: then, receipt },
    }),
  ),
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom('all', 'attempt', 'attempt'), fc.option(externalId, { freq: 1 })).map(
      ([covers, id]): Outcome => ({
        ...({ kind: 'rejected', covers, externalId: id, receipt } as const),
        ...{ code: 'charge_disputed', message: 'The charge is disputed.' },
      }),
    ),
  },
  fc.constant<Outcome>({ kind: 'not-submitted', why: 'connection refused', receipt }),
  {
    weight: 4,
    arbitrary: fc.constantFrom('allowed', 'allowed', 'allowed', 'pointless', 'unsafe').map(
      (resend): Outcome => ({
        ...({ kind: 'unknown', resend, receipt } as const),
        why: `no answer from ${CANARY}`,
      }),
    ),
  },
  fc.constant<Outcome>({
    ...({ kind: 'unknown', resend: 'unsafe', receipt } as const),
    ...{ why: CANARY, alarm: `The provider answered our key with re_${CANARY}.` },
  }),
);

const foundEffect: fc.Arbitrary<FoundEffect> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      externalId,
      status,
      key: fc.constantFrom(KEY_1, KEY_1, KEY_2, null),
      mismatch: fc.constant(null),
    }),
  },
  status.map(
    (now): FoundEffect => ({
      ...{ externalId: `re_${CANARY}`, status: now, key: KEY_1 },
      mismatch: `its amount is ${CANARY}, not 4900`,
    }),
  ),
  status.map((now): FoundEffect => ({ externalId: 're_3', status: now, key: 'refund-9', mismatch: null })),
);
const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Evidence>({ kind: 'absent' }) },
  fc.constant<Evidence>({ kind: 'inconclusive', why: `page 2 of ${CANARY} failed` }),
  fc
    .tuple(fc.array(foundEffect, { minLength: 1, maxLength: 2 }), fc.boolean())
    .map(([effects, complete]): Evidence => ({ kind: 'found', effects, complete })),
);

/** What may happen to an operation next. */
type Move = (history: WrittenHistory) => void;

const call = fc
  .tuple(fc.constantFrom(...CALLS), fc.constantFrom(1, 1, 2))
  .map(([one, activityAttempt]): CallRef => ({ ...one, activityAttempt }));
const perform: fc.Arbitrary<Move> = fc
  .record({
    call,
    purpose: fc.constantFrom<PerformSetup['purpose']>(
      'send',
      'send',
      'send',
      'look',
      'reconcile',
      'reconcile',
      'check',
    ),
    outcome,
    evidence,
    /** Calls planned earlier come late. */
    behind: fc.constantFrom(0, 0, 0, 1),
    /** A worker that dies before this command; most go on to their end. */
    diesBefore: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.integer({ min: 1, max: 6 })),
    isRefused: fc.nat(11).map((drawn) => drawn === 11),
  })
  .map(
    (parts): Move =>
      (history) =>
        history.perform(parts),
  );
/** The answer to a first send is lost, and another call sends again: what every rule about two attempts is for. */
const resend = outcome.map(
  (answer): Move =>
    (history) => {
      const sends = { purpose: 'send', behind: 0, diesBefore: null, isRefused: false } as const;
      const lost: Outcome = { kind: 'unknown', resend: 'allowed', why: `no answer from ${CANARY}`, receipt };
      const [one, other] = [CALLS[0] ?? NOBODYS_CALL, CALLS[1] ?? NOBODYS_CALL];
      history.perform({ ...sends, call: one, outcome: lost, evidence: { kind: 'absent' } });
      history.perform({ ...sends, call: other, outcome: answer, evidence: { kind: 'absent' } });
    },
);
const lateAnswer = outcome.map(
  (one): Move =>
    (history) =>
      history.answerLate(one),
);
const webhook = evidence.map(
  (one): Move =>
    (history) =>
      history.takeWebhook(one),
);
const closing = call.map(
  (one): Move =>
    (history) =>
      history.close(one),
);
const person = fc.tuple(fc.constantFrom('re_1', 're_2', null, null), fc.boolean(), fc.constantFrom(0, 0, 1)).map(
  ([id, allowResend, behind]): Move =>
    (history) =>
      history.resolve(id, allowResend, behind),
);
const redo = fc.constant<Move>((history) => history.redo());
const time = fc.constantFrom(1_000, 41_000, 400_000, 7_200_000, 90_000_000).map(
  (ms): Move =>
    (history) =>
      history.advance(ms),
);
const pause = fc.boolean().map(
  (on): Move =>
    (history) =>
      history.pause(on),
);

interface PerformParts {
  readonly call: CallRef;
  readonly purpose: PerformSetup['purpose'];
  readonly outcome: Outcome;
  readonly evidence: Evidence;
  readonly behind: number;
  readonly diesBefore: number | null;
  readonly isRefused: boolean;
}

class WorkerDiedError extends Error {}

/** An operation's history as the product writes it: by the real stepper and the real rules, whatever the world does. */
class WrittenHistory {
  readonly #ledger = new LedgerOfOne();
  readonly #contract: Contract;
  readonly #hasQuery: boolean;

  constructor(contract: Contract, hasQuery: boolean) {
    this.#contract = contract;
    this.#hasQuery = hasQuery;
  }

  get events(): readonly Recorded[] {
    return this.#ledger.events;
  }

  get now(): number {
    return this.#ledger.read().now;
  }

  perform({ call: by, purpose, outcome: answer, evidence: seen, behind, diesBefore, isRefused }: PerformParts): void {
    const operation = fold(this.events);
    if (operation === null && purpose !== 'send') return;
    const planned = plannedGeneration(operation);
    const generation = purpose === 'send' ? Math.max(1, planned - behind) : (operation?.current.number ?? 1);
    let left = diesBefore ?? Number.POSITIVE_INFINITY;
    try {
      drive(
        this.#ledger,
        setup({
          ...{ purpose, generation, contract: this.#contract, hasQuery: this.#hasQuery },
          call: purpose === 'send' || purpose === 'look' ? by : NOBODYS_CALL,
        }),
        {
          outcome: answer,
          evidence: seen,
          prepared: isRefused
            ? { kind: 'refused', message: 'This customer has no such order.' }
            : { kind: 'prepared', request, intent: INTENT },
          before: () => {
            if (left-- <= 0) throw new WorkerDiedError();
          },
        },
      );
    } catch (error) {
      if (!(error instanceof WorkerDiedError)) throw error;
    }
  }

  /** Of the last attempt of which nobody has heard: an attempt has one try, and so one answer. */
  answerLate(answer: Outcome): void {
    const { events } = this;
    const open = events.findLast(
      (event) =>
        event.kind === 'marked' &&
        events.every((other) => !isAnswerTo(event, other) || other.outcome.kind === 'unknown') &&
        events.filter((other) => isAnswerTo(event, other)).length < 2,
    );
    if (open?.kind !== 'marked') return;
    const { generation, attempt, call: by } = open;
    this.#ledger.add({ kind: 'answered', generation, attempt, call: by, outcome: answer });
  }

  takeWebhook(seen: Evidence): void {
    const operation = fold(this.events);
    const event = operation === null ? null : webhookEvidence(operation, this.events, seen);
    if (event !== null) this.#ledger.add(event);
  }

  close(by: CallRef): void {
    const operation = fold(this.events);
    const closed = {
      call: { ...by, activityAttempt: Number.MAX_SAFE_INTEGER },
      generation: plannedGeneration(operation),
    };
    const names = { tool: 'refund_line_item', provider: 'stripe.refunds', why: 'its activity failed for good' };
    this.#append(closingEvents(operation, { ...closed, ...names }, this.events));
  }

  resolve(id: string | null, allowResend: boolean, behind: number): void {
    const operation = fold(this.events);
    const verdict =
      id === null ? ({ as: 'rejected', allowResend } as const) : ({ as: 'confirmed', externalId: id } as const);
    const sawVersion = Math.max(1, this.events.length - behind);
    const word = { by: 'ops-3', note: 'looked at the dashboard', sawVersion, verdict, lookedAt: this.now };
    const answer = resolve(operation, this.events, word, this.#hasQuery);
    if (answer.kind === 'resolved') this.#ledger.add(answer.event);
  }

  redo(): void {
    const wish = { id: `${OPERATION_ID}-again`, by: 'ops-3', note: 'charged twice' };
    const answer = judgeRedo(fold(this.events), this.events, wish, this.now);
    if (answer.kind === 'allowed' && answer.end !== null) this.#ledger.add(answer.end);
  }

  advance(ms: number): void {
    this.#ledger.advance(ms);
  }

  pause(on: boolean): void {
    this.#ledger.pause(on);
  }

  #append(events: readonly OperationEvent[]): void {
    if (events.length > 0) this.#ledger.add(...events);
  }
}

function isAnswerTo(
  { generation, attempt }: { generation: number; attempt: number },
  event: Recorded,
): event is Extract<Recorded, { kind: 'answered' }> {
  return event.kind === 'answered' && event.generation === generation && event.attempt === attempt;
}

export interface Written {
  readonly events: readonly Recorded[];
  readonly now: number;
}

/** Histories that the product can write, never empty. */
export const written: fc.Arbitrary<Written> = fc
  .record({
    contract: fc.constantFrom(...CONTRACTS),
    hasQuery: fc.constantFrom(true, true, false),
    first: fc.oneof({ weight: 2, arbitrary: perform }, resend),
    moves: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: perform },
        { weight: 2, arbitrary: lateAnswer },
        { weight: 2, arbitrary: webhook },
        { weight: 2, arbitrary: person },
        { weight: 3, arbitrary: time },
        closing,
        pause,
        redo,
      ),
      { maxLength: 14, size: 'max' },
    ),
  })
  .map(({ contract, hasQuery, first, moves }): Written => {
    const history = new WrittenHistory(contract, hasQuery);
    for (const move of [first, ...moves]) move(history);
    return { events: history.events, now: history.now };
  })
  .filter(({ events }) => events.length > 0);

/** Calls of the histories, and one that has no part in them, in every activity attempt. */
export const reader: fc.Arbitrary<CallRef> = fc.oneof(
  call,
  fc.constant({ ...NOBODYS_CALL, callId: 'a call of its own' }),
);
