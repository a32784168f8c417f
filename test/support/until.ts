import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Waits until it is so. A test in which it never is ends by jest's own time-out. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await sleep(POLL_MS);
}
