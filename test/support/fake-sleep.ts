/**
 * Stands in for `setTimeout` of `node:timers/promises`, which jest's fake timers leave alone:
 *
 * ```
 * const sleeps = fakeSleep();
 * jest.mock('node:timers/promises', () => ({ setTimeout: (...args) => mockSleep(...args) }));
 * ```
 *
 * Nothing wakes until the test lets time go on.
 */
export class FakeSleep {
  #now = 0;
  #asleep: Sleeper[] = [];
  /** How long was asked for, in order. */
  readonly asked: number[] = [];

  readonly setTimeout = <T>(ms: number, value?: T, options: { signal?: AbortSignal } = {}): Promise<T | undefined> => {
    this.asked.push(ms);
    const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
    const sleeper = { at: this.#now + ms, wake: () => resolve(value) };
    this.#asleep.push(sleeper);
    options.signal?.addEventListener('abort', () => {
      this.#asleep = this.#asleep.filter((other) => other !== sleeper);
      reject(options.signal?.reason);
    });
    return promise;
  };

  /** How many timers are set: what is left at the end of a test leaks. */
  get pending(): number {
    return this.#asleep.length;
  }

  /** Lets time go on; what wakes may fall asleep again and is woken again within that time. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settle();
      const next = this.#asleep.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#now = next.at;
      this.#asleep = this.#asleep.filter((other) => other !== next);
      next.wake();
    }
    this.#now = until;
  }
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Lets everything run that waits for no timer and no I/O. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
