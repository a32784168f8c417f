import type { Client } from '@temporalio/client';

/**
 * Calls of Temporal's client that can be left at once. The client repeats a call out of a timer, which no abort reaches:
 * on a connection that was closed meanwhile it would throw where nobody can catch it, and end the process.
 */
export class TemporalCalls {
  readonly #client: Client;
  readonly #running = new Set<Promise<void>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Throws the signal's reason as soon as it is aborted, whatever the call is waiting for. */
  async run<T>(signal: AbortSignal, use: (client: Client) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const call = this.#client.withAbortSignal(signal, () => use(this.#client));
    const running = call.then(ignore, ignore);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
    return new Promise<T>((resolve, reject) => {
      const leave = () => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      void running.then(() => signal.removeEventListener('abort', leave));
      call.then(resolve, reject);
    });
  }

  /** Ends when no call is under way, those that were left included. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running]);
  }
}

function ignore(): void {
  // Whoever waits for the call hears of its error.
}
