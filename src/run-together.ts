import type { Worker } from '@temporalio/worker';

/** The worker whose run is somebody's, and how it is run. */
interface Leader {
  readonly worker: Worker;
  run(): Promise<void>;
}

/**
 * Runs workers as one: when one of them stops or fails, all of them drain; ends when the last has stopped, and throws
 * what failed first.
 */
export async function runTogether(leader: Leader, others: readonly Worker[]): Promise<void> {
  const all = [leader.worker, ...others];
  const failures: unknown[] = [];
  const watched = async (run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      failures.push(error);
    } finally {
      for (const worker of all) if (worker.getState() === 'RUNNING') worker.shutdown();
    }
  };
  // The others first: a leader that fails at once must find them running, or nobody would stop them.
  const running = others.map((other) => watched(() => other.run()));
  await Promise.all([watched(() => leader.run()), ...running]);
  if (failures.length > 0) throw failures[0];
}
