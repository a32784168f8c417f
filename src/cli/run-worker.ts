import { DEFAULT_TASK_QUEUE } from '../task-queue';
import type { StartWorkerOptions } from '../worker';
import { CommandError } from './command-error';
import { loadModule } from './load-module';

type Worker = typeof import('../worker.js');

/** `sendonce worker`: starts what the module's `worker` describes, and ends the process when it has stopped. */
export async function runWorker({ tools: file }: { readonly tools: string }): Promise<void> {
  const { startWorker } = await workerCode();
  const options = workerOptions(file, await loadModule(file));
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

/** Every option, by its name: a mistyped one would be left out in silence, and its default used. */
const OPTIONS = {
  tools: true,
  model: true,
  instructions: true,
  limits: true,
  settings: true,
  taskQueue: true,
  toolQueues: true,
  workflows: true,
  dataConverter: true,
  workerOptions: true,
} satisfies Record<keyof StartWorkerOptions, true>;

/** Only what would fail without naming the file; the rest is checked where it is used. */
function workerOptions(file: string, { worker }: Readonly<Record<string, unknown>>): StartWorkerOptions {
  const example = 'For example: export const worker = { tools: [refundLineItem], model };';
  if (typeof worker !== 'object' || worker === null) {
    throw new CommandError(`${file} exports no "worker", an object with the options of startWorker. ${example}`);
  }
  const strange = Object.keys(worker).filter((name) => !Object.hasOwn(OPTIONS, name));
  if (strange.length > 0) {
    const known = Object.keys(OPTIONS).join(', ');
    throw new CommandError(
      `"worker" of ${file} has ${strange.join(', ')}, which startWorker does not take. Its options are ${known}.`,
    );
  }
  const options = worker as Partial<StartWorkerOptions>;
  if (!Array.isArray(options.tools)) throw new CommandError(`"worker" of ${file} has no list "tools". ${example}`);
  if (!options.model) throw new CommandError(`"worker" of ${file} has no "model". ${example}`);
  return options as StartWorkerOptions;
}

/** Temporal's own handler drains at the first signal; without a further one the second would end the process at once. */
function tellSignals(): void {
  let draining = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      say(
        draining
          ? 'still draining: running calls finish first. What kill -9 breaks off is found out by the next worker.'
          : `${signal}: draining. The worker takes no more work and lets running calls finish.`,
      );
      draining = true;
    });
  }
}

function say(line: string): void {
  process.stderr.write(`sendonce: ${line}\n`);
}
