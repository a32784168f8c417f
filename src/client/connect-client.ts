import { Client, Connection, WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client';
import { endTurnEarly } from '../activities/end-turn-early';
import type { TurnRef } from '../conversations/refs';
import { openSession } from '../conversations/sessions';
import { addMessage, readTurn, type TurnOutcome } from '../conversations/turns';
import { type Database, openDatabase } from '../ledger/database';
import { checkSchema } from '../ledger/migrate';
import { readSettings, type Settings } from '../settings';
import { DEFAULT_TASK_QUEUE } from '../task-queue';
import { TemporalUnreachableError } from '../temporal-unreachable-error';
import type { agentTurn } from '../workflows';

export interface ClientOptions {
  /** From the environment unless given. */
  readonly settings?: Settings;
  readonly taskQueue?: string;
  /** Model calls one turn may take. */
  readonly maxSteps?: number;
}

/** Who speaks, set by trusted code: tools act for this customer and no other. */
export interface SessionOptions {
  readonly tenant: string;
  readonly customer: string;
  readonly sessionId: string;
}

export interface SayOptions {
  /** The sender's key for this message: the same one twice is one turn. */
  readonly requestKey: string;
}

export interface TurnReply {
  readonly text: string;
  readonly outcome: TurnOutcome;
  readonly workflowId: string;
}

export interface Session {
  /**
   * Stores the message, runs its turn, and waits for what the customer is told. Throws NameInvalidError,
   * MessageInvalidError, SessionTakenError or RequestKeyConflictError before anything is started.
   */
  say(text: string, options: SayOptions): Promise<TurnReply>;
}

export interface SendonceClient {
  session(options: SessionOptions): Session;
  close(): Promise<void>;
}

/** Enough for a few tools in a row; a model that goes on calling is stopped before it costs much. */
const DEFAULT_MAX_STEPS = 12;

/** Connects and checks the schema; throws as `startWorker` does. */
export async function connectClient(options: ClientOptions = {}): Promise<SendonceClient> {
  const { maxSteps = DEFAULT_MAX_STEPS } = options;
  // Infinity would reach the workflow as null, and end every turn before its first step.
  if (!Number.isInteger(maxSteps) || maxSteps < 1) {
    throw new RangeError(`maxSteps must be a whole number above zero, not ${String(maxSteps)}.`);
  }
  const settings = options.settings ?? readSettings();
  const database = openDatabase(settings.database);
  try {
    await checkSchema(database);
    const { connection: connectionOptions, namespace } = settings.temporal;
    const connection = await Connection.connect(connectionOptions).catch((cause: unknown) => {
      throw new TemporalUnreachableError(connectionOptions.address, cause);
    });
    const closing = new AbortController();
    const turns = new Turns(database, new Client({ connection, namespace }), closing.signal, options);
    return {
      session: (session) => ({ say: (text, say) => turns.say(session, text, say) }),
      close: async () => {
        // What waits for a turn is broken off first: Temporal's client would try it again on the closed connection,
        // out of a timer, and end the process.
        closing.abort();
        await connection.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

class Turns {
  readonly #database: Database;
  readonly #client: Client;
  readonly #closing: AbortSignal;
  readonly #taskQueue: string;
  readonly #maxSteps: number;

  constructor(database: Database, client: Client, closing: AbortSignal, options: ClientOptions) {
    this.#database = database;
    this.#client = client;
    this.#closing = closing;
    this.#taskQueue = options.taskQueue ?? DEFAULT_TASK_QUEUE;
    this.#maxSteps = options.maxSteps ?? DEFAULT_MAX_STEPS;
  }

  async say(session: SessionOptions, text: string, { requestKey }: SayOptions): Promise<TurnReply> {
    await openSession(this.#database, session);
    const { tenant, sessionId } = session;
    const turn = await addMessage(this.#database, { tenant, sessionId, requestKey, text });
    const workflowId = workflowIdOf(turn);
    const before = await readTurn(this.#database, turn);
    if (before.outcome === null) {
      await this.#client.withAbortSignal(this.#closing, () => this.#run(turn, workflowId));
    }
    const { outcome, reply } = await readTurn(this.#database, turn);
    if (outcome === null || reply === null) throw new Error(`Bug: ${workflowId} ended and left no reply.`);
    return { text: reply, outcome, workflowId };
  }

  /** Starts the turn or finds it running, and waits for its end. How it ended is in its row, for failed ones too. */
  async #run(turn: TurnRef, workflowId: string): Promise<void> {
    await this.#client.workflow
      .start<typeof agentTurn>('agentTurn', {
        workflowId,
        taskQueue: this.#taskQueue,
        args: [{ ...turn, maxSteps: this.#maxSteps }],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      })
      .catch((error: unknown) => {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      });
    const handle = this.#client.workflow.getHandle(workflowId);
    do {
      try {
        await handle.result();
        return;
      } catch (error) {
        if (!(error instanceof WorkflowFailedError)) throw error;
      }
      // A reset ends the run that was waited for, and another one goes on.
    } while ((await handle.describe()).status.name === 'RUNNING');
    // A turn ends its row itself, and the first end counts. One that was terminated could not.
    await endTurnEarly({ database: this.#database }, { ...turn, outcome: 'failed' });
  }
}

/** Readable in Temporal's UI, and one for each message. */
export function workflowIdOf({ tenant, sessionId, turn }: TurnRef): string {
  return `turn/${tenant}/${sessionId}/${turn}`;
}
