import type { SessionRef } from '../../conversations/refs';
import { readTranscript, type TranscriptTurn } from '../../conversations/transcript';
import type { Database } from '../../ledger/database';
import type { Ledger } from '../../ledger/ledger';
import type { Recorded } from '../../operations/event';
import { fold, type Operation } from '../../operations/fold';
import type { ReplyCode, RetryAction } from '../../operations/reply';
import type { FakeStripe } from '../../testing/fake-stripe/fake-stripe';
import type { Report } from '../../testing/fake-stripe/report';
import { isFollowUpTurn } from './is-follow-up-turn';

/** One run as JSON: the last line of `--json`. `effects` and `sends` are counted by the provider. */
export interface RunResult {
  readonly scenario: string;
  readonly ok: boolean;
  readonly effects: number;
  readonly sends: number;
  readonly modelCalls: number;
  readonly operations: readonly RunOperation[];
  readonly replies: readonly RunReply[];
  readonly told: readonly string[];
  /** Messages that told a settlement after its turn. */
  readonly followUps: number;
  /** Operations put before a person. */
  readonly escalations: number;
  readonly resolvedBy: 'answer' | 'query' | 'webhook' | 'person' | null;
  readonly workflowId: string;
  readonly temporalUi: string;
}

export interface RunOperation {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly externalId: string | null;
  readonly attempts: number;
  readonly generation: number;
  readonly key: string | null;
}

export interface RunReply {
  readonly tool: string;
  readonly code: ReplyCode;
  readonly retryAction: RetryAction;
  readonly isError: boolean;
  readonly operationId: string | null;
}

/** An operation of the run with its history. */
export interface RunHistory {
  readonly tenant: string;
  readonly id: string;
  readonly operation: Operation;
  readonly events: readonly Recorded[];
}

/** Above every turn: Postgres' largest integer. */
const ALL_TURNS = 2 ** 31 - 1;

/** A conversation of the run as far as it got. */
export interface RunChat {
  readonly session: SessionRef;
  readonly turns: readonly TranscriptTurn[];
}

export async function readChats(database: Database, sessions: readonly SessionRef[]): Promise<RunChat[]> {
  return Promise.all(
    sessions.map(async (session) => ({
      session,
      turns: await readTranscript(database, { ...session, turn: ALL_TURNS }),
    })),
  );
}

/** The operations that the conversations' calls were planned for, in that order. */
export async function readHistories(ledger: Ledger, chats: readonly RunChat[]): Promise<RunHistory[]> {
  const refs = chats.flatMap(({ session: { tenant }, turns }) =>
    turns.flatMap(({ steps }) =>
      steps.flatMap(({ plan }) =>
        (plan ?? []).flatMap((call) => (call.kind === 'operation' ? [{ tenant, operationId: call.operationId }] : [])),
      ),
    ),
  );
  const once = new Map(refs.map((ref) => [JSON.stringify(ref), ref]));
  const histories = await Promise.all(
    [...once.values()].map(async ({ tenant, operationId: id }) => {
      const { events } = await ledger.load({ tenant, operationId: id });
      const operation = fold(events);
      return operation === null ? [] : [{ tenant, id, operation, events }];
    }),
  );
  return histories.flat();
}

export function operationsOf(histories: readonly RunHistory[]): RunOperation[] {
  return histories.map(({ id, operation }) => ({
    id,
    state: operation.state,
    reason: operation.reason,
    externalId: operation.externalId,
    attempts: operation.current.attempts.length,
    generation: operation.current.number,
    key: operation.current.registration?.key ?? null,
  }));
}

/** Step by step of the model, in the order of its calls. */
export function repliesOf(chats: readonly RunChat[]): RunReply[][] {
  return chats.flatMap(({ turns }) =>
    turns.flatMap(({ steps }) =>
      steps.map(({ answer, results }) =>
        results.map(({ position, reply: { code, retryAction, isError, operationId } }) => {
          const tool = answer.calls.find((call) => call.position === position)?.tool ?? '';
          return { tool, code, retryAction, isError, operationId };
        }),
      ),
    ),
  );
}

/** Settlements that a conversation was told by a turn of its own. */
export function followUpsIn(chats: readonly RunChat[]): number {
  return chats.flatMap(({ turns }) => turns.filter((turn) => isFollowUpTurn(turn) && turn.reply !== null)).length;
}

/** Operations that were put before a person at any time, whatever became of them since. */
export function escalationsIn(histories: readonly Pick<RunHistory, 'events'>[]): number {
  const wasEscalated = ({ events }: Pick<RunHistory, 'events'>) =>
    events.some((_, index) => fold(events.slice(0, index + 1))?.state === 'escalated');
  return histories.filter(wasEscalated).length;
}

/** What the customers were told. */
export function toldIn(chats: readonly RunChat[]): string[] {
  return chats.flatMap(({ turns }) => turns.flatMap(({ reply }) => (reply === null ? [] : [reply])));
}

/** What the provider counted. */
export type Counted = Pick<Report, 'effects' | 'sends'>;

/** For the run's payments alone: the turn of an earlier run, which was killed with everything, may go on beside this run. */
export function countedFor(fake: FakeStripe, payments: readonly string[]): Counted {
  const { effects, sends } = fake.report();
  return {
    effects: effects.filter((effect) => payments.includes(effect.paymentIntent)),
    sends: sends.filter(({ body }) => payments.includes(new URLSearchParams(body).get('payment_intent') ?? '')),
  };
}
