import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Found, Retold, Task } from './task';
import type { Job, JobResult } from './worker';

export interface PoolOptions {
  /** Path of the module that exports the catalogue. */
  readonly catalogue: string;
  /** As soon as each is done, in any order. */
  readonly onFound: (found: Found) => void;
}

/** Two: the check is to leave a machine usable, and what it finds is the same with any number. */
const THREADS = 2;
/** The names of three million worlds, and the steps and histories between them. */
const HEAP_MB = 8_192;

/** Does all tasks on two threads; what was found is in the order of the tasks. */
export async function runAll(tasks: readonly Task[], { catalogue, onFound }: PoolOptions): Promise<Found[]> {
  const all: Found[] = [];
  let next = 0;
  const work = async () => {
    const thread = threadFor(catalogue);
    try {
      while (next < tasks.length) {
        const index = next++;
        const task = tasks[index];
        if (task === undefined) break;
        const found = await ask(thread, { task });
        if (!('task' in found)) throw new Error(`Bug: ${task.id} was to be looked at.`);
        all[index] = found;
        onFound(found);
      }
    } finally {
      await thread.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(THREADS, tasks.length) }, work));
  return all;
}

/** A mistake is planted as a thread loads the rules, so a trace is told again on a thread, too. */
export async function retellOnThread(catalogue: string, seed: string): Promise<Retold> {
  const thread = threadFor(catalogue);
  try {
    const result = await ask(thread, { seed });
    if ('refused' in result) throw new RangeError(result.refused);
    if ('story' in result) return result;
    throw new Error('Bug: a trace was asked for.');
  } finally {
    await thread.terminate();
  }
}

function threadFor(catalogue: string): Worker {
  return new Worker(join(__dirname, 'worker.cjs'), {
    workerData: catalogue,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
}

function ask(thread: Worker, job: Job): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    const onMessage = (result: JobResult) => settle(() => resolve(result));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = (code: number) => settle(() => reject(new Error(`Bug: a thread ended with ${code}.`)));
    const settle = (end: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      end();
    };
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.postMessage(job);
  });
}
