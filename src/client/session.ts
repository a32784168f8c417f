import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { openSession } from '../conversations/sessions';
import { addMessage, readTurn } from '../conversations/turns';
import { TemporalUnreachableError } from '../temporal-unreachable-error';
import type { agentTurn } from '../workflows';
import { SESSION_KEY } from '../workflows/search-attribute-keys';
import { RunningTurn, type TurnHandle, type TurnParts, type TurnReply, type WaitOptions } from './turn-handle';
import { askDatabase, checkTimeout, meaningOf } from './waiting';

/** Who speaks, set by trusted code: tools act for this customer and no other. */
export interface SessionOptions {
  readonly tenant: string;
  readonly customer: string;
  readonly sessionId: string;
}

/** What `start` takes. */
export interface StartOptions {
  /** The sender's key for this message: the same one twice is one turn. */
  readonly requestKey: string;
}

/** What `say` takes: the key of the message, and how long to wait. */
export interface SayOptions extends StartOptions, WaitOptions {}

/** A conversation with one customer. Its messages are turns, in the order in which they were stored. */
export interface Session {
  /**
   * Stores the message and starts its turn, or finds the turn that the request key started before, also after Temporal
   * has forgotten it. Throws NameInvalidError, MessageInvalidError, SessionTakenError or RequestKeyConflictError before
   * anything is stored; DatabaseUnreachableError and TemporalUnreachableError when it may be stored: say it again.
   */
  start(text: string, options: StartOptions): Promise<TurnHandle>;
  /** `start`, then `result`. */
  say(text: string, options: SayOptions): Promise<TurnReply>;
}

/** What a session needs of its client. */
export interface SessionParts extends TurnParts {
  readonly taskQueue: string;
  readonly maxSteps: number;
  readonly searchAttributes: boolean;
  /** The ledger's name: only its own workers take the turn. */
  readonly ledger: string;
}

/** Milliseconds after which nobody waits for the request to start a turn any more; Temporal's client tries for longer. */
const START_WITHIN_MS = 10_000;

export class OpenedSession implements Session {
  readonly #session: SessionOptions;
  readonly #parts: SessionParts;

  constructor(session: SessionOptions, parts: SessionParts) {
    this.#session = session;
    this.#parts = parts;
  }

  async say(text: string, { requestKey, timeoutMs }: SayOptions): Promise<TurnReply> {
    checkTimeout(timeoutMs);
    const turn = await this.start(text, { requestKey });
    return turn.result(timeoutMs === undefined ? {} : { timeoutMs });
  }

  async start(text: string, { requestKey }: StartOptions): Promise<TurnHandle> {
    const { tenant, sessionId } = this.#session;
    const { ref, outcome } = await askDatabase(this.#parts, async (database) => {
      await openSession(database, this.#session);
      const added = await addMessage(database, { tenant, sessionId, requestKey, text });
      return { ref: added, outcome: (await readTurn(database, added)).outcome };
    });
    const turn = new RunningTurn(ref, this.#parts);
    if (outcome === null) await this.#startWorkflow(turn);
    return turn;
  }

  async #startWorkflow({ workflowId, turn }: TurnHandle): Promise<void> {
    const { temporal, server, closing, taskQueue, maxSteps, searchAttributes, ledger } = this.#parts;
    const { tenant, sessionId, customer } = this.#session;
    const start = ({ workflow }: Client) =>
      workflow.start<typeof agentTurn>('agentTurn', {
        workflowId,
        taskQueue,
        args: [{ tenant, sessionId, turn, ledger, maxSteps, ...(searchAttributes ? { searchAttributes } : {}) }],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        staticSummary: `message ${turn} of ${customer}`,
        ...(searchAttributes ? { typedSearchAttributes: [{ key: SESSION_KEY, value: `${tenant}/${sessionId}` }] } : {}),
      });
    const within = AbortSignal.timeout(START_WITHIN_MS);
    try {
      await temporal.run(AbortSignal.any([closing, within]), start);
    } catch (error) {
      // The same message was said before, by this client or another.
      if (error instanceof WorkflowExecutionAlreadyStartedError) return;
      if (within.aborted && !closing.aborted) throw new TemporalUnreachableError(server, error);
      throw meaningOf(error, server, closing);
    }
  }
}
