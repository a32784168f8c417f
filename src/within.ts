import { setTimeout as sleep } from 'node:timers/promises';

/** The promise's value, or null where it takes longer. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  const timer = new AbortController();
  const tooLong = sleep(ms, null, { signal: timer.signal }).catch(() => null);
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    timer.abort();
  }
}
