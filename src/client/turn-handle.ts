import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { endTurnEarly } from '../activities/end-turn-early';
import { type TurnRef, workflowIdOf } from '../conversations/refs';
import { readTurnRecord, type TranscriptTurn } from '../conversations/transcript';
import { readTurn, type TurnOutcome } from '../conversations/turns';
import type { Database } from '../ledger/database';
import { TurnRecordLostError, TurnTimeoutError } from './client-errors';
import type { TemporalCalls } from './temporal-calls';
import { type TurnUpdate, updatesOf } from './turn-update';
import { askDatabase, checkTimeout, meaningOf } from './waiting';

/** What the customer is told, and how the turn ended. */
export interface TurnReply {
  readonly text: string;
  readonly outcome: TurnOutcome;
  readonly workflowId: string;
}

/** How long a wait lasts. */
export interface WaitOptions {
  /** Milliseconds of this wait; for ever unless given. The turn itself has no such limit. */
  readonly timeoutMs?: number;
}

/** How often `progress` looks. */
export interface ProgressOptions {
  /** Milliseconds between two looks at the database; 250 unless given. */
  readonly everyMs?: number;
}

/** A turn that was started, by this client or another. */
export interface TurnHandle {
  /** `turn/tenant/session/number`, as Temporal's UI lists it. */
  readonly workflowId: string;
  /** Number of the turn in its session, from 1. */
  readonly turn: number;
  /**
   * Waits for the end, and gives what the customer is told. Throws TurnTimeoutError, ClientClosedError,
   * TemporalUnreachableError, DatabaseUnreachableError or TurnRecordLostError, none of which means that the turn failed: a failed turn has the
   * outcome `failed` and a text for the customer.
   */
  result(options?: WaitOptions): Promise<TurnReply>;
  /** What happens in the turn, from its beginning, as it is stored; the last one is its end. Throws as `result` does. */
  progress(options?: ProgressOptions): AsyncGenerator<TurnUpdate, void, undefined>;
}

/** What a handle needs of its client. */
export interface TurnParts {
  readonly database: Database;
  readonly temporal: TemporalCalls;
  /** For errors: where Temporal is. */
  readonly server: string;
  readonly closing: AbortSignal;
}

const PROGRESS_EVERY_MS = 250;

/** Pauses between the looks at a turn that waits for those before it: growing, since that may take long. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** The database says how a turn ended; Temporal only says when to look. So it also works when Temporal has forgotten it. */
export class RunningTurn implements TurnHandle {
  readonly workflowId: string;
  readonly #ref: TurnRef;
  readonly #parts: TurnParts;

  constructor(ref: TurnRef, parts: TurnParts) {
    this.workflowId = workflowIdOf(ref);
    this.#ref = ref;
    this.#parts = parts;
  }

  get turn(): number {
    return this.#ref.turn;
  }

  async result({ timeoutMs }: WaitOptions = {}): Promise<TurnReply> {
    checkTimeout(timeoutMs);
    return this.#wait(timeoutMs === undefined ? null : { signal: AbortSignal.timeout(timeoutMs), timeoutMs });
  }

  async *progress({ everyMs = PROGRESS_EVERY_MS }: ProgressOptions = {}): AsyncGenerator<TurnUpdate, void, undefined> {
    checkTimeout(everyMs);
    const leaving = new AbortController();
    let isOver = false;
    const ended = this.#wait({ signal: leaving.signal, timeoutMs: 0 }).finally(() => {
      isOver = true;
    });
    // Whoever leaves the loop early does not wait for the end any more.
    ended.catch(() => undefined);
    try {
      const told = new Set<string>();
      for (;;) {
        // Asked before the look: what is stored after a look that saw the end would be missed.
        const isLast = isOver;
        for (const update of updatesOf(await this.#record())) {
          if (told.has(update.id)) continue;
          told.add(update.id);
          yield update;
        }
        if (isLast) break;
        await Promise.race([ended.catch(() => undefined), sleep(everyMs)]);
      }
      await ended;
    } finally {
      leaving.abort();
    }
  }

  async #wait(limit: { readonly signal: AbortSignal; readonly timeoutMs: number } | null): Promise<TurnReply> {
    const { database, temporal, server, closing } = this.#parts;
    const before = await this.#ended();
    if (before !== null) return before;
    const signal = limit === null ? closing : AbortSignal.any([closing, limit.signal]);
    try {
      await temporal.run(signal, (client) => this.#untilClosed(client, signal));
    } catch (error) {
      const after = closing.aborted ? null : await this.#ended();
      if (after !== null) return after;
      if (limit?.signal.aborted && !closing.aborted) throw new TurnTimeoutError(this.workflowId, limit.timeoutMs);
      if (!(error instanceof WorkflowFailedError)) throw meaningOf(error, server, closing);
      // A turn ends its row itself, and the first end counts. One that was terminated could not.
      await endTurnEarly({ database }, { ...this.#ref, outcome: 'failed' });
    }
    const after = await this.#ended();
    if (after === null) throw new TurnRecordLostError(this.workflowId);
    return after;
  }

  async #untilClosed({ workflow }: Client, signal: AbortSignal): Promise<void> {
    const handle = workflow.getHandle(this.workflowId);
    for (let pauseMs = FIRST_PAUSE_MS; ; ) {
      try {
        await handle.result();
        return;
      } catch (error) {
        // Not begun yet, or run and forgotten by Temporal: its row says which.
        if (error instanceof WorkflowNotFoundError) {
          if ((await this.#ended()) !== null) return;
          await sleep(pauseMs, undefined, { signal });
          pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
          continue;
        }
        // A reset ends the run that was waited for, and another one goes on.
        if (!(error instanceof WorkflowFailedError) || (await handle.describe()).status.name !== 'RUNNING') throw error;
      }
    }
  }

  async #record(): Promise<TranscriptTurn> {
    return askDatabase(this.#parts, (database) => readTurnRecord(database, this.#ref));
  }

  async #ended(): Promise<TurnReply | null> {
    const { outcome, reply } = await askDatabase(this.#parts, (database) => readTurn(database, this.#ref));
    return outcome === null || reply === null ? null : { text: reply, outcome, workflowId: this.workflowId };
  }
}
