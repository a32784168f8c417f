import { openSession } from '../conversations/sessions';
import { addMessage, readTurn } from '../conversations/turns';
import { TemporalUnreachableError } from '../temporal-unreachable-error';
import { wakeSession } from '../wake-session';
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
   * Stores the message as the session's next turn, or finds the turn that the request key made before, also after Temporal
   * has forgotten it. The turn runs when those before it have ended. Throws NameInvalidError, MessageInvalidError, SessionTakenError or RequestKeyConflictError before
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

/** Milliseconds after which nobody waits for the request to run a turn any more; Temporal's client tries for longer. */
const WAKE_WITHIN_MS = 10_000;

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
      const { taskQueue, maxSteps } = this.#parts;
      await openSession(database, { ...this.#session, taskQueue, maxSteps });
      const added = await addMessage(database, { tenant, sessionId, requestKey, text });
      return { ref: added, outcome: (await readTurn(database, added)).outcome };
    });
    const turn = new RunningTurn(ref, this.#parts);
    if (outcome === null) await this.#wake();
    return turn;
  }

  async #wake(): Promise<void> {
    const { temporal, server, closing, taskQueue, maxSteps, searchAttributes, ledger } = this.#parts;
    const { tenant, sessionId } = this.#session;
    const within = AbortSignal.timeout(WAKE_WITHIN_MS);
    try {
      await temporal.run(AbortSignal.any([closing, within]), (client) =>
        wakeSession(client, { tenant, sessionId, ledger, taskQueue, maxSteps, searchAttributes }),
      );
    } catch (error) {
      if (within.aborted && !closing.aborted) throw new TemporalUnreachableError(server, error);
      throw meaningOf(error, server, closing);
    }
  }
}
