import type { StartWorkerOptions } from '../worker';
import { CommandError } from './command-error';
import { loadModule } from './load-module';

/** The options of startWorker as far as the commands need them: only a worker wants the model. */
export type WorkerModule = Partial<StartWorkerOptions> & Pick<StartWorkerOptions, 'tools'>;

export const WORKER_EXAMPLE = 'For example: export const worker = { tools: [refundLineItem], model };';

/** Every option, by its name: a mistyped one would be left out in silence, and its default used. */
const OPTIONS = {
  tools: true,
  model: true,
  instructions: true,
  limits: true,
  deliver: true,
  settings: true,
  taskQueue: true,
  toolQueues: true,
  workflows: true,
  reconciliation: true,
  onEscalated: true,
  dataConverter: true,
  workerOptions: true,
} satisfies Record<keyof StartWorkerOptions, true>;

/**
 * What a file that `--tools` names exports as `worker`. Throws CommandError for what would fail later without naming the
 * file; the rest is checked where it is used.
 */
export async function loadWorkerModule(file: string): Promise<WorkerModule> {
  const { worker } = await loadModule(file);
  if (typeof worker !== 'object' || worker === null) {
    throw new CommandError(`${file} exports no "worker", an object with the options of startWorker. ${WORKER_EXAMPLE}`);
  }
  const strange = Object.keys(worker).filter((name) => !Object.hasOwn(OPTIONS, name));
  if (strange.length > 0) {
    const known = Object.keys(OPTIONS).join(', ');
    throw new CommandError(
      `"worker" of ${file} has ${strange.join(', ')}, which startWorker does not take. Its options are ${known}.`,
    );
  }
  const options = worker as Partial<StartWorkerOptions>;
  if (!Array.isArray(options.tools)) {
    throw new CommandError(`"worker" of ${file} has no list "tools". ${WORKER_EXAMPLE}`);
  }
  return options as WorkerModule;
}
