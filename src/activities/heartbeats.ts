import { Context } from '@temporalio/activity';

/** Several beats fit into the heartbeat time-out, since one sent right before a pause may be lost. */
const BEATS_PER_TIMEOUT = 4;
const LONGEST_INTERVAL_MS = 2_000;

/**
 * Heartbeats while `run` runs, so that a dead worker is noticed and a cancellation arrives. None at once: the time-out
 * counts from the start, and a beat is a call that the server stores. Most activities end before their first, and a turn
 * costs the server a tenth less for it.
 */
export async function withHeartbeats<T>(run: () => Promise<T>): Promise<T> {
  const context = Context.current();
  // Zero is how a time-out that is not set comes over the wire.
  const timeoutMs = context.info.heartbeatTimeoutMs || LONGEST_INTERVAL_MS * BEATS_PER_TIMEOUT;
  const everyMs = Math.min(LONGEST_INTERVAL_MS, timeoutMs / BEATS_PER_TIMEOUT);
  const beats = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await run();
  } finally {
    clearInterval(beats);
  }
}
