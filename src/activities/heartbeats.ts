import { Context } from '@temporalio/activity';

/** Several beats fit into the heartbeat time-out, since one sent right before a pause may be lost. */
const BEATS_PER_TIMEOUT = 4;
const LONGEST_INTERVAL_MS = 2_000;

/** Heartbeats while `run` runs, so that a dead worker is noticed and a cancellation arrives. */
export async function withHeartbeats<T>(run: () => Promise<T>): Promise<T> {
  const context = Context.current();
  // Zero is how a time-out that is not set comes over the wire.
  const timeoutMs = context.info.heartbeatTimeoutMs || LONGEST_INTERVAL_MS * BEATS_PER_TIMEOUT;
  const everyMs = Math.min(LONGEST_INTERVAL_MS, timeoutMs / BEATS_PER_TIMEOUT);
  context.heartbeat();
  const beats = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await run();
  } finally {
    clearInterval(beats);
  }
}
