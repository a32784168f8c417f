import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger';
import type { SendCommand } from '../operations/command';
import { answeredEvent } from '../operations/marking';
import type { Outcome } from '../operations/outcome';
import type { PerformSetup } from '../operations/perform';
import { isRecorded } from '../operations/recorded-answer';

export interface LateAnswer {
  readonly tenant: string;
  readonly setup: PerformSetup;
  readonly command: Pick<SendCommand, 'generation' | 'attempt'>;
  readonly answer: Promise<Outcome>;
}

/** Pauses between the tries to record one late answer: a restart of Postgres fits in, a lost database does not matter. */
const PAUSES_MS = [100, 1_000, 5_000, 15_000, 30_000];

/**
 * Answers that came after the engine had stopped waiting. They are evidence and are recorded when they come; if that
 * fails for good, the operation stays unknown and is found out as if no answer had come.
 */
export class LateAnswers {
  readonly #ledger: Ledger;
  readonly #onLost: (operationId: string, error: unknown) => void;
  readonly #onRecorded: () => void;
  readonly #waiting = new Set<Promise<void>>();

  constructor(
    ledger: Ledger,
    onLost: (operationId: string, error: unknown) => void,
    onRecorded: () => void = () => undefined,
  ) {
    this.#ledger = ledger;
    this.#onLost = onLost;
    this.#onRecorded = onRecorded;
  }

  keep(late: LateAnswer): void {
    const recorded = this.#record(late).then(this.#onRecorded, (error: unknown) =>
      this.#onLost(late.setup.operationId, error),
    );
    this.#waiting.add(recorded);
    void recorded.finally(() => this.#waiting.delete(recorded));
  }

  /** Waits for what is under way, at most this long. For a worker that shuts down. */
  async drain(withinMs: number): Promise<void> {
    const timer = new AbortController();
    await Promise.race([
      Promise.allSettled([...this.#waiting]),
      sleep(withinMs, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
  }

  async #record({ tenant, setup, command, answer }: LateAnswer): Promise<void> {
    const outcome = await answer;
    const event = answeredEvent(setup, command, outcome);
    const { operationId } = setup;
    for (let tries = 0; ; ) {
      try {
        const { events } = await this.#ledger.load({ tenant, operationId });
        // An earlier try may have been written although its confirmation was lost: an answer is recorded once.
        if (isRecorded(event, events)) return;
        if ((await this.#ledger.save({ tenant, operationId, before: events, events: [event] })) !== null) return;
      } catch (error) {
        const pause = PAUSES_MS[tries++];
        if (pause === undefined) throw error;
        await sleep(pause);
      }
    }
  }
}
