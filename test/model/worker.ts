import { parentPort, workerData } from 'node:worker_threads';
import { loadCatalogue } from './catalogue-module';
import { type Found, type Retold, retellSeed, runTask, type Task } from './task';

/** What a thread is asked to do: look at a piece of the catalogue, or tell a trace again. */
export type Job = { readonly task: Task } | { readonly seed: string };
export type JobResult = Found | Retold | { readonly refused: string };

const catalogue = loadCatalogue(workerData);

parentPort?.on('message', (job: Job) => {
  parentPort?.postMessage('task' in job ? runTask(catalogue, job.task) : retell(job.seed));
});

function retell(seed: string): JobResult {
  try {
    return retellSeed(catalogue, seed);
  } catch (error) {
    if (error instanceof RangeError) return { refused: error.message };
    throw error;
  }
}
