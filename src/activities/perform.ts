import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger';
import type { Command, CommandResult, SendCommand } from '../operations/command';
import type { AnsweredEvent, Recorded } from '../operations/event';
import type { Evidence } from '../operations/evidence';
import type { Outcome } from '../operations/outcome';
import type { PerformSetup } from '../operations/perform';
import type { Reply } from '../operations/reply';
import type { StoredRequest } from '../operations/request';
import { start, step } from '../operations/stepper';
import type { Instant } from '../operations/time';
import type { Provider } from '../providers/provider';
import { checkedEvidence, checkedOutcome, unknownOutcome } from './checked-answers';
import type { LateAnswers } from './late-answers';
import { LocalStopwatch } from './local-send-deadline';

export interface PerformPorts {
  readonly tenant: string;
  readonly ledger: Ledger;
  readonly provider: Provider<unknown>;
  readonly lateAnswers: LateAnswers;
  /** Authorises, reads and encodes the request of a generation. Throws RefusedError to refuse. */
  prepare(key: string): Promise<Prepared>;
  /** Throws where the execution shall stop: asked before everything that is not yet a promise to anybody. */
  checkCancelled(): void;
}

export type Prepared =
  | { readonly kind: 'prepared'; readonly request: StoredRequest; readonly intent: string }
  | { readonly kind: 'refused'; readonly message: string };

export type PerformEnd = (
  | { readonly kind: 'finish'; readonly reply: Reply }
  | { readonly kind: 'retry'; readonly why: string }
) & {
  /** The operation as the execution knew it last. */
  readonly now: Instant;
  readonly events: readonly Recorded[];
  /** What the provider showed and answered; null where it was not asked, nothing was sent. */
  readonly looked: Evidence | null;
  readonly answered: Outcome | null;
};

/**
 * Drives the stepper: carries out its commands and decides nothing. At most one send an execution. Throws where the
 * ledger is out of reach or `prepare` fails; the call is then run again and finds out what became of it.
 */
export async function perform(setup: PerformSetup, ports: PerformPorts): Promise<PerformEnd> {
  let { state, command } = start();
  let stopwatch = new LocalStopwatch();
  let looked: Evidence | null = null;
  let answered: Outcome | null = null;
  for (;;) {
    if (command.kind === 'finish' || command.kind === 'retry') {
      const { now, events } = state;
      return { ...command, now, events, looked, answered };
    }
    if (command.kind === 'load') stopwatch = new LocalStopwatch();
    const result = await carryOut(command, setup, ports, stopwatch).catch((error: unknown) => {
      // The execution ends here, the answer to its send does not: it is recorded when the ledger is there again.
      if (state.answer !== null) keepAnswer(state.answer, setup, ports);
      throw error;
    });
    if (result.kind === 'found') looked = result.evidence;
    if (result.kind === 'answered') answered = result.outcome;
    ({ state, command } = step(setup, state, result));
  }
}

function keepAnswer(answer: AnsweredEvent, setup: PerformSetup, { tenant, lateAnswers }: PerformPorts): void {
  lateAnswers.keep({ tenant, setup, command: answer, answer: Promise.resolve(answer.outcome) });
}

/**
 * Pauses between the tries to record an answer: it is the best evidence there will be, so a restart of Postgres is
 * waited for. Everything else fails at once and is decided again by the activity's next attempt.
 */
const ANSWER_PAUSES_MS = [100, 400, 1_500, 4_000];

async function persistently<T>(pausesMs: readonly number[], act: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await act();
    } catch (error) {
      const pause = pausesMs[tries];
      if (pause === undefined) throw error;
      await sleep(pause);
    }
  }
}

type Doable = Exclude<Command, { kind: 'finish' } | { kind: 'retry' }>;

async function carryOut(
  command: Doable,
  setup: PerformSetup,
  ports: PerformPorts,
  stopwatch: LocalStopwatch,
): Promise<CommandResult> {
  const { tenant, ledger } = ports;
  const { operationId } = setup;
  switch (command.kind) {
    case 'load':
      return { kind: 'loaded', ...(await ledger.load({ tenant, operationId })) };
    case 'prepare': {
      ports.checkCancelled();
      const began = stopwatch.elapsedMs();
      const prepared = await ports.prepare(command.key);
      stopwatch.prepareMs = stopwatch.elapsedMs() - began;
      return prepared;
    }
    case 'save': {
      // Cancelling is no undo: what is marked is sent and recorded. Only what is not yet marked can be left out.
      if (command.events.some((event) => event.kind === 'marked')) ports.checkCancelled();
      const { before, events } = command;
      const pauses = events.some((event) => event.kind === 'answered') ? ANSWER_PAUSES_MS : [];
      const saved = await persistently(pauses, () => ledger.save({ tenant, operationId, before, events }));
      return saved === null ? { kind: 'lost' } : { kind: 'saved', now: saved.at };
    }
    case 'send':
      return { kind: 'answered', outcome: await sendOnce(command, setup, ports, stopwatch) };
    case 'find': {
      const { request, keys, externalId, since } = command;
      return { kind: 'found', evidence: await ask(ports, { request, operationId, keys, externalId, since }) };
    }
    case 'wait':
      await sleep(command.for);
      return { kind: 'waited' };
  }
}

/**
 * One try. The engine stops waiting when the answer's time is over, whatever the provider does: then the outcome is
 * unknown, and what the send yields later is recorded as evidence.
 */
async function sendOnce(
  command: SendCommand,
  setup: PerformSetup,
  { tenant, provider, lateAnswers }: PerformPorts,
  stopwatch: LocalStopwatch,
): Promise<Outcome> {
  const { request, key, sendWithin, answerWithin } = command;
  const deadline = stopwatch.deadline(sendWithin);
  // The provider looks again before it writes. Here a worker that was frozen stops whatever its provider looks at.
  if (deadline.remainingMs() <= 0) return tooLate(sendWithin, stopwatch.prepareMs);
  const answer = checkedOutcome(() => provider.send({ request, key, operationId: setup.operationId, deadline }));
  const waitMs = Math.max(0, deadline.remainingMs()) + answerWithin;
  const timer = new AbortController();
  const timedOut = sleep(waitMs, 'timed-out' as const, { signal: timer.signal }).catch(() => 'timed-out' as const);
  const first = await Promise.race([answer, timedOut]);
  if (first !== 'timed-out') {
    timer.abort();
    return first;
  }
  lateAnswers.keep({ tenant, setup, command, answer });
  return unknownOutcome(`No answer within ${Math.round(waitMs)} ms.`);
}

function tooLate(sendWithin: number, prepareMs: number): Outcome {
  const slow =
    prepareMs >= sendWithin ? ` The tool's resolve and request took ${Math.round(prepareMs)} ms of that.` : '';
  const why = `The send deadline of ${sendWithin} ms was over before the provider was called.${slow}`;
  return { kind: 'not-submitted', why, receipt: { requestId: null, httpStatus: null, detail: '' } };
}

/** The longest one query may take; the activity's time-out has room for it. */
export const FIND_WITHIN_MS = 30_000;

async function ask(
  { provider }: PerformPorts,
  query: Parameters<NonNullable<Provider<unknown>['find']>>[0],
): Promise<Evidence> {
  const timer = new AbortController();
  const tooLong = sleep(FIND_WITHIN_MS, null, { signal: timer.signal })
    .catch(() => null)
    .then((): Evidence => ({ kind: 'inconclusive', why: `No answer within ${FIND_WITHIN_MS} ms.` }));
  const found = checkedEvidence(async () => provider.find?.(query));
  const evidence = await Promise.race([found, tooLong]);
  timer.abort();
  return evidence;
}
