import { Worker } from 'node:worker_threads';
import type { Task, TaskResult } from './task';

/** Room for the worlds of the largest scenarios. */
const HEAP_MB = 6_144;

/** Runs the tasks, so many at once, each in a thread of its own. Whoever throws, ends all. */
export async function runTasks(
  tasks: readonly Task[],
  threads: number,
  done: (task: Task, result: TaskResult) => void,
): Promise<void> {
  const queue = [...tasks];
  const running = new Set<Worker>();
  const work = async () => {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      done(task, await runOne(task, running));
    }
  };
  try {
    await Promise.all(Array.from({ length: threads }, work));
  } finally {
    queue.length = 0;
    await Promise.all([...running].map((worker) => worker.terminate()));
  }
}

function runOne(task: Task, running: Set<Worker>): Promise<TaskResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(require.resolve('./task-worker.cjs'), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    running.add(worker);
    worker.once('message', resolve);
    worker.once('error', (error) => reject(new Error(`${task.name}: ${error.message}`, { cause: error })));
    worker.once('exit', (code) => {
      running.delete(worker);
      reject(new Error(`${task.name}: its thread ended with ${code} and no result.`));
    });
  });
}

/** One task alone; throws what it throws. */
export function runTaskAlone(task: Task): Promise<TaskResult> {
  return runOne(task, new Set());
}
