import { DEFAULT_TASK_QUEUE } from '../task-queue';
import type { StartWorkerOptions } from '../worker';
import { CommandError } from './command-error';
import { onStopSignal } from './on-stop-signal';
import { say } from './say';
import { loadWorkerModule, WORKER_EXAMPLE } from './worker-module';

type Worker = typeof import('../worker.js');

/** `sendonce worker`: starts what the module's `worker` describes, and ends the process when it has stopped. */
export async function runWorker({ tools: file }: { readonly tools: string }): Promise<void> {
  const { startWorker } = await workerCode();
  const options = await workerOptions(file);
  const worker = await startWorker(options);
  tellSignals();
  const names = options.tools.map((tool) => tool.name).join(', ') || 'none';
  say(`the worker takes work from ${options.taskQueue ?? DEFAULT_TASK_QUEUE}. Tools: ${names}. Ctrl-C drains it.`);
  await worker.stopped;
  say('the worker has stopped.');
  // The user's module may hold connections open for as long as the process lives.
  process.exit(0);
}

/** Loaded only here: it is what needs the AI SDK. */
async function workerCode(): Promise<Worker> {
  try {
    return await import('../worker.js');
  } catch (error) {
    if (error instanceof Error && /^Cannot find (package|module) 'ai'/.test(error.message)) {
      throw new CommandError('A worker needs the AI SDK, and the package ai is not installed. Run npm install ai.');
    }
    throw error;
  }
}

async function workerOptions(file: string): Promise<StartWorkerOptions> {
  const { model, ...options } = await loadWorkerModule(file);
  if (!model) throw new CommandError(`"worker" of ${file} has no "model". ${WORKER_EXAMPLE}`);
  return { ...options, model };
}

/** Temporal's own handler drains at the first signal. */
function tellSignals(): void {
  onStopSignal({
    first: (signal) => say(`${signal}: draining. The worker takes no more work and lets running calls finish.`),
    again: () =>
      say('still draining: running calls finish first. What kill -9 breaks off is found out by the next worker.'),
  });
}
