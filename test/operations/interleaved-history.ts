import fc from 'fast-check';
import { closingEvents } from '../../src/operations/closing';
import type { Command, CommandResult } from '../../src/operations/command';
import type { Contract } from '../../src/operations/contract';
import type { CallRef, OperationEvent, PersonVerdict, Recorded } from '../../src/operations/event';
import type { Evidence, FoundEffect } from '../../src/operations/evidence';
import { fold } from '../../src/operations/fold';
import { keyOf } from '../../src/operations/key';
import { answeredEvent } from '../../src/operations/marking';
import type { Outcome } from '../../src/operations/outcome';
import type { PerformSetup } from '../../src/operations/perform';
import { plannedGeneration } from '../../src/operations/plan';
import { judgeRedo } from '../../src/operations/redo';
import type { Reply } from '../../src/operations/reply';
import { resolve } from '../../src/operations/resolution';
import { days, hours, minutes, seconds } from '../../src/operations/time';
import { webhookEvidence } from '../../src/operations/webhook-evidence';
import { type Driven, drive, LedgerOfOne, setup } from './drive';
import {
  ABSENT,
  accepted,
  CALL_A,
  CALL_B,
  CONTRACT,
  confirmed,
  copy,
  found,
  INCONCLUSIVE,
  INTENT,
  KEY_1,
  KEY_2,
  NONE,
  NONE_SEND_AGAIN,
  notOurs,
  notSubmitted,
  OPERATION_ID,
  PROVEN,
  REQUEST,
  rejected,
  unknown,
} from './fixtures';

/**
 * Histories as the product writes them: its own stepper, closings, people's acts and webhooks, in any order and into
 * each other, with crashes, pauses, lost commits and late answers. Nothing here writes an event of its own making but a
 * late answer, which is made as the activity makes it.
 */
export interface History {
  /** As they were handed to the ledger. */
  readonly handedOver: readonly Recorded[];
  /** As it gives them back. */
  readonly events: readonly Recorded[];
  readonly told: readonly Told[];
  readonly now: number;
  readonly contract: Contract;
}

/** What a call was told, and what the ledger held at that moment. */
export interface Told {
  readonly reply: Reply;
  readonly setup: PerformSetup;
  readonly events: readonly Recorded[];
  readonly now: number;
}

/** The outcome with which the engine stops waiting: the answer itself may come later. */
const TIMED_OUT = unknown('allowed', 'no answer in time');

const CALLS: readonly CallRef[] = [
  CALL_A,
  CALL_B,
  { ...CALL_A, callId: 'chat-912/2/1/0' },
  { ...CALL_B, callId: 'chat-555/5/1/0', customer: 'customer-78' },
  { ...CALL_A, callId: 'chat-912/3/1/0' },
  { ...CALL_A, callId: 'chat-912/3/1/1' },
];
const NOBODY: CallRef = { callId: 'reconcile/1', activityAttempt: 1, sessionId: '', customer: '' };

interface Performed {
  readonly kind: 'send' | 'look' | 'check' | 'reconcile';
  readonly call: number;
  readonly outcome: Outcome;
  readonly evidence: Evidence;
  readonly prepared: 'same' | 'other' | 'refused';
  readonly intent: string;
  /** Before the nth command: the worker dies, or somebody else acts. */
  readonly crashAt: number | null;
  readonly meanwhile: { readonly nth: number; readonly act: Act } | null;
  readonly cutCommitOf: OperationEvent['kind'] | null;
}

/** What others write without the stepper. */
type Written =
  | { readonly kind: 'close'; readonly call: number }
  | { readonly kind: 'webhook'; readonly evidence: Evidence }
  | { readonly kind: 'late'; readonly nth: number; readonly outcome: Outcome }
  | { readonly kind: 'person'; readonly verdict: PersonVerdict; readonly behind: number; readonly looked: boolean }
  | { readonly kind: 'redo' };

type Act =
  | Performed
  | Written
  | { readonly kind: 'pause'; readonly on: boolean }
  | { readonly kind: 'advance'; readonly ms: number };

export interface Program {
  readonly contract: Contract;
  readonly hasQuery: boolean;
  readonly acts: readonly Act[];
}

function rarely<T>(value: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight, arbitrary: value });
}

/** Of most effects: the number that an effect of the generation has, and its key. */
const OWN = 'own';
const externalId = fc.oneof({ weight: 20, arbitrary: fc.constant(OWN) }, fc.constantFrom('re_1', 're_2'));
/** Words that a careless reader of events could stumble over. */
const words = fc.constantFrom('no answer', '', 'a\0b', '\uD800', 'It failed. Certainly.', '__proto__');

const answer: fc.Arbitrary<Outcome> = fc.oneof(
  { weight: 3, arbitrary: externalId.map((id) => confirmed(id)) },
  { weight: 3, arbitrary: externalId.map((id) => accepted(id)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('pending', 'succeeded', 'failed'), externalId)
      .map(([status, id]) => copy(status, id)),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom('all', 'attempt'), rarely(externalId, 2))
      .map(([covers, id]) => rejected(covers, id)),
  },
  { weight: 4, arbitrary: words.map((why) => notSubmitted(why)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('allowed', 'pointless', 'unsafe'), words)
      .map(([resend, why]) => unknown(resend, why)),
  },
  { weight: 1, arbitrary: fc.constant(notOurs()) },
);
const outcome = fc.oneof({ weight: 1, arbitrary: fc.constant(TIMED_OUT) }, { weight: 3, arbitrary: answer });

const effect: fc.Arbitrary<FoundEffect> = fc.record({
  externalId,
  status: fc.constantFrom('succeeded', 'pending', 'failed'),
  key: fc.oneof(
    { weight: 10, arbitrary: fc.constant(OWN) },
    { weight: 6, arbitrary: fc.constant(null) },
    fc.constantFrom(KEY_1, KEY_2, 'refund-9'),
  ),
  mismatch: fc.oneof({ weight: 24, arbitrary: fc.constant(null) }, fc.constant('its amount is 5, not 4900')),
});
const effects = fc
  .tuple(fc.array(effect, { minLength: 1, maxLength: 2 }), fc.boolean())
  .map(([all, complete]) => found(all, complete));
const seen: fc.Arbitrary<Evidence> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(ABSENT) },
  { weight: 1, arbitrary: fc.constant(INCONCLUSIVE) },
  { weight: 2, arbitrary: effects },
);

const call = fc.nat(CALLS.length - 1);
const simple: readonly fc.WeightedArbitrary<Act>[] = [
  { weight: 1, arbitrary: call.map((of): Act => ({ kind: 'close', call: of })) },
  { weight: 1, arbitrary: effects.map((evidence): Act => ({ kind: 'webhook', evidence })) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('late' as const), nth: fc.nat(3), outcome: answer }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('person' as const),
      verdict: fc.oneof(
        fc.constantFrom(NONE, NONE_SEND_AGAIN, NONE_SEND_AGAIN),
        externalId.map((id): PersonVerdict => ({ as: 'confirmed', externalId: id })),
      ),
      behind: fc.constantFrom(0, 0, 0, 1, 2),
      looked: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: 'redo' }) },
  { weight: 2, arbitrary: fc.boolean().map((on): Act => ({ kind: 'pause', on })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(seconds(1), seconds(50), minutes(20), hours(2), hours(25), days(40))
      .map((ms): Act => ({ kind: 'advance', ms })),
  },
];

function performed(meanwhile: fc.Arbitrary<Act> | null): fc.Arbitrary<Performed> {
  return fc.record({
    kind: fc.constantFrom('send', 'send', 'send', 'look', 'check', 'reconcile', 'reconcile'),
    call,
    outcome,
    evidence: seen,
    prepared: fc.oneof({ weight: 15, arbitrary: fc.constant('same' as const) }, fc.constantFrom('other', 'refused')),
    intent: fc.oneof({ weight: 8, arbitrary: fc.constant(INTENT) }, fc.constant('{"quantity":2}')),
    crashAt: rarely(fc.integer({ min: 1, max: 6 }), 1),
    meanwhile:
      meanwhile === null
        ? fc.constant(null)
        : rarely(fc.record({ nth: fc.integer({ min: 1, max: 6 }), act: meanwhile }), 3),
    cutCommitOf: rarely(fc.constantFrom('marked', 'answered', 'registered', 'evidence'), 1),
  });
}

const plain = fc.oneof({ weight: 8, arbitrary: performed(null) }, ...simple);
const act = fc.oneof({ weight: 16, arbitrary: performed(plain) }, ...simple);

const SUCCESSES_ONLY: Contract = {
  ...CONTRACT,
  key: { window: hours(24), margin: minutes(30), maxLength: 255, replays: 'successes' },
};

export const program: fc.Arbitrary<Program> = fc.record({
  contract: fc.constantFrom<Contract>(CONTRACT, CONTRACT, PROVEN, { ...PROVEN, key: 'none' }, SUCCESSES_ONLY),
  hasQuery: fc.constantFrom(true, true, false),
  acts: fc.array(act, { minLength: 8, maxLength: 18 }),
});

const DEAD = new Error('The worker died.');

/** The in-memory ledger with one operation in it, which remembers what it was handed. */
class Witness extends LedgerOfOne {
  readonly #handedOver: OperationEvent[] = [];

  override add(...events: readonly OperationEvent[]): void {
    this.#handedOver.push(...events);
    super.add(...events);
  }

  override save(command: Extract<Command, { kind: 'save' }>): { readonly at: number } | null {
    const saved = super.save(command);
    if (saved !== null) this.#handedOver.push(...command.events);
    return saved;
  }

  get handedOver(): readonly Recorded[] {
    return this.events.map(({ seq, at }, index) => ({ ...(this.#handedOver[index] as OperationEvent), seq, at }));
  }
}

export function play({ contract, hasQuery, acts }: Program): History {
  const ledger = new Witness();
  const told: Told[] = [];
  const planned = new Map<string, { generation: number; intent: string }>();
  const activityAttempts = new Map<string, number>();

  /** Those that still wait for the answer to what they sent, or are about to record it. */
  const running: CallRef[] = [];

  const operation = () => fold(ledger.events);
  const planOf = (callId: string, intent: string) => {
    const plan = planned.get(callId) ?? { generation: plannedGeneration(operation()), intent };
    planned.set(callId, plan);
    return plan;
  };
  const callOf = (index: number): CallRef => {
    const own = CALLS[index] ?? CALL_A;
    const activityAttempt = (activityAttempts.get(own.callId) ?? 0) + 1;
    activityAttempts.set(own.callId, activityAttempt);
    return { ...own, activityAttempt };
  };

  const setupOf = (one: Performed): PerformSetup | null => {
    const common = { contract, hasQuery };
    if (one.kind === 'send') {
      const own = callOf(one.call);
      return setup({ ...common, purpose: 'send', call: own, ...planOf(own.callId, one.intent) });
    }
    const current = operation()?.current.number;
    if (current === undefined) return null;
    const asking = one.kind === 'look' ? { ...(CALLS[one.call] ?? CALL_A), callId: `look/${one.call}` } : NOBODY;
    return setup({ ...common, purpose: one.kind, generation: current, intent: '', call: asking });
  };

  const run = (one: Performed): void => {
    const own = setupOf(one);
    if (own === null) return;
    let count = 0;
    running.push(own.call);
    const prepared: CommandResult =
      one.prepared === 'refused'
        ? { kind: 'refused', message: 'There is no such order.' }
        : { kind: 'prepared', request: REQUEST, intent: one.prepared === 'same' ? own.intent : '{"quantity":9}' };
    const end = survived(() =>
      drive(ledger, own, {
        outcome: outcomeIn(own.generation, one.outcome),
        evidence: evidenceIn(own.generation, one.evidence),
        prepared,
        ...(one.cutCommitOf !== null && { cutCommitOf: one.cutCommitOf }),
        before: () => {
          count += 1;
          if (one.meanwhile?.nth === count) carryOut(one.meanwhile.act);
          if (one.crashAt === count) throw DEAD;
        },
      }),
    );
    running.pop();
    if (end?.kind !== 'finish') return;
    told.push({ reply: end.reply, setup: own, events: ledger.events, now: ledger.now });
  };

  const written = (one: Written): readonly OperationEvent[] => {
    const [now, events, known] = [ledger.now, ledger.events, operation()];
    switch (one.kind) {
      case 'close': {
        const { callId } = CALLS[one.call] ?? CALL_A;
        const { generation } = planOf(callId, INTENT);
        const { tool, provider } = setup();
        const closing = { call: callOf(one.call), generation, tool, provider, why: 'Its activity failed. For good.' };
        return closingEvents(known, closing, events);
      }
      case 'webhook': {
        const news =
          known === null ? null : webhookEvidence(known, events, evidenceIn(known.current.number, one.evidence));
        return news === null ? [] : [news];
      }
      case 'late': {
        const open = unheard(events).filter((mark) => !running.some((by) => isSame(by, mark.call)));
        const mark = open[one.nth % Math.max(1, open.length)];
        if (mark === undefined) return [];
        return [answeredEvent(setup({ contract, call: mark.call }), mark, outcomeIn(mark.generation, one.outcome))];
      }
      case 'person': {
        const { verdict, behind, looked } = one;
        const act_ = {
          by: 'ops-3',
          note: 'seen',
          verdict: verdictIn(known?.current.number ?? 1, verdict),
          sawVersion: events.length - behind,
        };
        if (act_.sawVersion < 1) return [];
        const said = resolve(known, events, { ...act_, lookedAt: looked ? now : null }, hasQuery);
        return said.kind === 'resolved' ? [said.event] : [];
      }
      case 'redo': {
        const judged = judgeRedo(known, events, { id: 'refund-1043-again', by: 'ops-3', note: 'wanted' }, now);
        return judged.kind === 'allowed' && judged.end !== null ? [judged.end] : [];
      }
    }
  };
  const carryOut = (one: Act): void => {
    switch (one.kind) {
      case 'advance':
        ledger.advance(one.ms);
        break;
      case 'pause':
        ledger.pause(one.on);
        break;
      case 'send':
      case 'look':
      case 'check':
      case 'reconcile':
        run(one);
        break;
      default: {
        const events = written(one);
        if (events.length > 0) ledger.add(...events);
      }
    }
  };

  for (const one of acts) carryOut(one);
  return { handedOver: ledger.handedOver, events: ledger.events, told, now: ledger.now, contract };
}

/** Marks whose one answer may still come: none was recorded, or the engine had stopped waiting. */
function unheard(events: readonly Recorded[]) {
  return events.flatMap((event) => {
    if (event.kind !== 'marked') return [];
    const answers = events.flatMap((other) =>
      other.kind === 'answered' && other.generation === event.generation && other.attempt === event.attempt
        ? [other.outcome]
        : [],
    );
    const open = answers.length === 0 || (answers.length === 1 && sameOutcome(answers[0], TIMED_OUT));
    return open ? [event] : [];
  });
}

function isSame(one: CallRef, other: CallRef): boolean {
  return one.callId === other.callId && one.activityAttempt === other.activityAttempt;
}

function sameOutcome(one: Outcome | undefined, other: Outcome): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function numberIn(generation: number, externalId_: string): string {
  return externalId_ === OWN ? `re_of_${generation}` : externalId_;
}

function outcomeIn(generation: number, one: Outcome): Outcome {
  if (!('externalId' in one) || one.externalId === null) return one;
  return { ...one, externalId: numberIn(generation, one.externalId) };
}

function verdictIn(generation: number, one: PersonVerdict): PersonVerdict {
  return one.as === 'confirmed' ? { ...one, externalId: numberIn(generation, one.externalId) } : one;
}

function evidenceIn(generation: number, one: Evidence): Evidence {
  if (one.kind !== 'found') return one;
  const own = one.effects.map((each) => ({
    ...each,
    externalId: numberIn(generation, each.externalId),
    key: each.key === OWN ? keyOf(OPERATION_ID, generation, '') : each.key,
  }));
  return { ...one, effects: own };
}

/** Null where the worker died. */
function survived(runs: () => Driven): Driven['end'] | null {
  try {
    return runs().end;
  } catch (error) {
    if (error === DEAD) return null;
    throw error;
  }
}
