import type { SessionRef } from '../../conversations/refs';
import { readTranscript, type TranscriptTurn } from '../../conversations/transcript';
import type { Database } from '../../ledger/database';
import type { Ledger } from '../../ledger/ledger';
import type { Recorded } from '../../operations/event';
import { fold, type Operation } from '../../operations/fold';
import type { ReplyCode, RetryAction } from '../../operations/reply';
import type { FakeStripe } from '../../testing/fake-stripe/fake-stripe';
import type { Report } from '../../testing/fake-stripe/report';

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

interface RunOperation {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly externalId: string | null;
  readonly attempts: number;
  readonly generation: number;
  readonly key: string | null;
}

interface RunReply {
  readonly tool: string;
  readonly code: ReplyCode;
  readonly retryAction: RetryAction;
  readonly isError: boolean;
  readonly operationId: string | null;
}

/** An operation of the run with its history. */
export interface RunHistory {
  readonly id: string;
  readonly operation: Operation;
  readonly events: readonly Recorded[];
}

/** Above every turn: Postgres' largest integer. */
const ALL_TURNS = 2 ** 31 - 1;

export async function readTurns(database: Database, session: SessionRef): Promise<readonly TranscriptTurn[]> {
  return readTranscript(database, { ...session, turn: ALL_TURNS });
}

/** The operations that the conversation's calls were planned for, in that order. */
export async function readHistories(
  ledger: Ledger,
  tenant: string,
  turns: readonly TranscriptTurn[],
): Promise<RunHistory[]> {
  const planned = turns.flatMap(({ steps }) => steps.flatMap(({ plan }) => plan ?? []));
  const ids = new Set(planned.flatMap((call) => (call.kind === 'operation' ? [call.operationId] : [])));
  const histories = await Promise.all(
    [...ids].map(async (id) => {
      const { events } = await ledger.load({ tenant, operationId: id });
      const operation = fold(events);
      return operation === null ? [] : [{ id, operation, events }];
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

export function repliesOf(turns: readonly TranscriptTurn[]): RunReply[] {
  return turns.flatMap(({ steps }) =>
    steps.flatMap(({ answer, results }) =>
      results.map(({ position, reply: { code, retryAction, isError, operationId } }) => {
        const tool = answer.calls.find((call) => call.position === position)?.tool ?? '';
        return { tool, code, retryAction, isError, operationId };
      }),
    ),
  );
}

/** What the provider counted. */
export type Counted = Pick<Report, 'effects' | 'sends'>;

/** For one payment alone: the turn of an earlier run, which was killed with everything, may go on beside this run. */
export function countedFor(fake: FakeStripe, paymentIntent: string): Counted {
  const { effects, sends } = fake.report();
  return {
    effects: effects.filter((effect) => effect.paymentIntent === paymentIntent),
    sends: sends.filter(({ body }) => new URLSearchParams(body).get('payment_intent') === paymentIntent),
  };
}
