const LEAST_PAUSE_MS = 1_000;

/**
 * Hints of one process that something is due: one a second at most, the last one always. A hint that is lost costs the
 * time until reconciliation looks by itself, and nothing else.
 */
export class Hints {
  #wake: () => Promise<void> = async () => undefined;
  #last = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> = Promise.resolve();

  /** How to hint, once there is a connection; before that nobody is hinted at. */
  connect(wake: () => Promise<void>): void {
    this.#wake = wake;
  }

  hint(): void {
    if (this.#timer !== null) return;
    const waitMs = Math.max(0, this.#last + LEAST_PAUSE_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#last = performance.now();
      this.#sending = this.#wake().catch(() => undefined);
    }, waitMs);
    // A process that ends does not wait to hint.
    this.#timer.unref();
  }

  /** No further hint; ends when the one under way is out. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#sending;
  }
}
