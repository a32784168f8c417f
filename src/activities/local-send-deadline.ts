import { performance } from 'node:perf_hooks';
import type { Duration } from '../operations/time';
import type { SendDeadline } from '../providers/provider';

/**
 * Started right before the ledger is read; the deadline of what is decided on that read counts from here. Both local
 * clocks run: the monotonic one does not notice a sleeping machine, the wall clock may be set back, so whichever shows
 * more counts (rule 3).
 */
export class LocalStopwatch {
  readonly #monotonic = performance.now();
  readonly #wall = Date.now();
  /** How long the request took to be computed meanwhile: the part of the time that a tool's author can shorten. */
  prepareMs = 0;

  elapsedMs(): number {
    return Math.max(performance.now() - this.#monotonic, Date.now() - this.#wall);
  }

  deadline(within: Duration): SendDeadline {
    return { remainingMs: () => within - this.elapsedMs() };
  }
}
