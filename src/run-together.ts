import type { Worker } from '@temporalio/worker';

/** The worker whose run is somebody's, and how it is run. */
interface Leader {
  readonly worker: Worker;
  run(): Promise<void>;
}

/**
 * Runs workers as one: when one of them stops or fails, all of them drain; ends when the last has stopped, and throws
 * what failed first. The leader runs at once, so that whoever stops it in the next moment finds it running.
 */
export async function runTogether(leader: Leader, makeOthers: () => Promise<readonly Worker[]>): Promise<void> {
  const workers = [leader.worker];
  const failures: unknown[] = [];
  let isOver = false;
  const shutDown = () => {
    isOver = true;
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const failed = (error: unknown) => {
    failures.push(error);
    shutDown();
  };
  const led = leader.run().then(shutDown, failed);
  const others = await makeOthers().catch((error: unknown) => {
    failed(error);
    return [];
  });
  workers.push(...others);
  const followed = others.map((other) => other.run().then(shutDown, failed));
  // A worker that was made has to run to be stopped.
  if (isOver) shutDown();
  await Promise.all([led, ...followed]);
  if (failures.length > 0) throw failures[0];
}
