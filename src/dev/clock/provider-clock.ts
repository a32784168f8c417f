import type { Duration } from '../../operations/time';
import { DemoNotRunningError } from './demo-not-running-error';

/** It is on this machine: what does not answer in this time is not there. */
const ANSWER_WITHIN_MS = 5_000;

/** The clock of a fake Stripe in another process, moved through its control. */
export class ProviderClock {
  readonly #url: string;

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}/_fake/clock`;
  }

  /** Moves nothing, so it shows whether the clock can be moved. Throws DemoNotRunningError. */
  async check(): Promise<void> {
    await this.#advance(0);
  }

  async move(by: Duration): Promise<void> {
    await this.#advance(by);
  }

  async #advance(advanceMs: number): Promise<void> {
    const answer = await fetch(this.#url, {
      method: 'POST',
      body: JSON.stringify({ advanceMs }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).catch((cause: unknown) => {
      throw new DemoNotRunningError(`The fake Stripe does not answer at ${this.#url}.`, { cause });
    });
    if (!answer.ok) throw new DemoNotRunningError(`What answers at ${this.#url} is no fake Stripe (${answer.status}).`);
  }
}
