import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { checkNamespace } from './check-namespace';
import { type PluginOptions, sendoncePlugin } from './plugin';
import { readSettings, type Settings } from './settings';
import { DEFAULT_TASK_QUEUE } from './task-queue';
import { TemporalUnreachableError } from './temporal-unreachable-error';

/** What `startWorker` takes. */
export interface StartWorkerOptions extends Omit<PluginOptions, 'database'> {
  /** From the environment unless given. */
  readonly settings?: Settings;
  /** `sendonce` unless given; the client's must be the same. */
  readonly taskQueue?: string;
  /** How Temporal's payloads are written and encrypted; the client's must be the same. The ledger is not touched by it. */
  readonly dataConverter?: NonNullable<WorkerOptions['dataConverter']>;
  /** Passed to Temporal's worker: concurrency, identity, sinks, Worker Versioning. What sendonce needs for itself it sets after them. */
  readonly workerOptions?: Partial<WorkerOptions>;
}

/** A worker that takes work. */
export interface RunningWorker {
  /** Ends when the worker has stopped; throws what stopped it. */
  readonly stopped: Promise<void>;
  /** Lets running calls finish, then stops. */
  stop(): Promise<void>;
}

/**
 * Connects, checks tools and schema, and runs until it is stopped by `stop`, SIGTERM or SIGINT; then it takes no more
 * work and lets running calls finish, for longer than a send and its answer may take.
 *
 * Throws one of SettingInvalidError, DatabaseUnreachableError, SchemaMissingError, SchemaNewerError, ToolNameTakenError,
 * QueueLimitsConflictError, TemporalUnreachableError, NamespaceMissingError, ActivityNameTakenError or
 * WorkflowsPinnedError before it takes any work.
 */
export async function startWorker(options: StartWorkerOptions): Promise<RunningWorker> {
  const settings = options.settings ?? readSettings();
  const plugin = await sendoncePlugin({ ...options, database: settings.database });
  let opened: NativeConnection | undefined;
  try {
    const connection = await connect(settings);
    opened = connection;
    await checkNamespace(connection, settings.temporal);
    const worker = await Worker.create({
      ...(options.dataConverter ? { dataConverter: options.dataConverter } : {}),
      ...options.workerOptions,
      connection,
      namespace: settings.temporal.namespace,
      taskQueue: options.taskQueue ?? DEFAULT_TASK_QUEUE,
      plugins: [...(options.workerOptions?.plugins ?? []), plugin],
    });
    const stopped = worker.run().finally(() => connection.close());
    return {
      stopped,
      stop: async () => {
        // Two signals are one wish.
        if (worker.getState() === 'RUNNING') worker.shutdown();
        await stopped;
      },
    };
  } catch (error) {
    // A connection that stays open keeps the process alive that has just heard why it cannot start.
    await plugin.close();
    await opened?.close();
    throw error;
  }
}

async function connect({ temporal }: Settings): Promise<NativeConnection> {
  return NativeConnection.connect(temporal.connection).catch((cause: unknown) => {
    throw new TemporalUnreachableError(temporal.connection.address, cause);
  });
}
