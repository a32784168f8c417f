import { setTimeout as sleep } from 'node:timers/promises';

/** How long a scenario waits for what must happen; far above what it takes, so that only a defect reaches it. */
const PATIENCE_MS = 60_000;
const POLL_MS = 25;

/** Looks until there is something to see, and gives that. */
export async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (patience.aborted) throw new Error(`Waited ${PATIENCE_MS / 1_000} s in vain for ${what}.`);
    await sleep(POLL_MS);
  }
}
