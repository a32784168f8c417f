import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { LanguageModel } from 'ai';
import { type CallLimitOptions, callLimits } from './activities/call-limits';
import { createActivities } from './activities/create-activities';
import { LateAnswers } from './activities/late-answers';
import { lookUpWith } from './activities/look-up';
import { openDatabase } from './ledger/database';
import { checkSchema } from './ledger/migrate';
import { PostgresLedger } from './ledger/postgres-ledger';
import { readSettings, type Settings } from './settings';
import { DEFAULT_TASK_QUEUE } from './task-queue';
import { TemporalUnreachableError } from './temporal-unreachable-error';
import { catalogueOf } from './tools/catalogue';
import { operationStatus } from './tools/operation-status';
import type { Tool } from './tools/tool';

export interface StartWorkerOptions {
  readonly tools: readonly Tool[];
  /** Any language model of the AI SDK. */
  readonly model: LanguageModel;
  /** The system prompt. */
  readonly instructions?: string;
  /** From the environment unless given. */
  readonly settings?: Settings;
  readonly taskQueue?: string;
  readonly limits?: Partial<CallLimitOptions>;
  /** False: this worker runs activities only, beside another that runs the workflows. */
  readonly workflows?: boolean;
  /** Passed to Temporal's worker: concurrency, identity, sinks. What sendonce needs for itself it sets after them. */
  readonly workerOptions?: Partial<WorkerOptions>;
}

export interface RunningWorker {
  /** Ends when the worker has stopped; throws what stopped it. */
  readonly stopped: Promise<void>;
  /** Lets running calls finish, then stops. */
  stop(): Promise<void>;
}

/** Longer than a send and its answer may take, so that a drain leaves no attempt behind without its answer. */
const SHUTDOWN_GRACE_MS = 60_000;

/**
 * Lets every heartbeat through. Temporal's own throttle sends one in 80 % of the heartbeat time-out: a cancellation, which
 * comes back with a heartbeat, would take 24 s to reach a model call, and one lost beat would pass for a dead worker.
 */
const HEARTBEAT_THROTTLE_MS = 100;

/**
 * Connects, checks the schema and runs until it is stopped. Throws one of SettingInvalidError,
 * DatabaseUnreachableError, SchemaMissingError, SchemaNewerError, TemporalUnreachableError before it takes any work.
 */
export async function startWorker(options: StartWorkerOptions): Promise<RunningWorker> {
  const settings = options.settings ?? readSettings();
  const database = openDatabase(settings.database);
  let opened: NativeConnection | undefined;
  try {
    await checkSchema(database);
    const connection = await connect(settings);
    opened = connection;
    const ledger = new PostgresLedger(database);
    const lateAnswers = new LateAnswers(ledger, (operationId, error) => {
      console.error(`sendonce: a late answer of ${operationId} could not be recorded: ${String(error)}`);
    });
    const limits = callLimits(options.limits);
    const status = operationStatus(lookUpWith({ tools: options.tools, ledger, lateAnswers, limits }));
    const catalogue = catalogueOf([...options.tools, status]);
    const { model, instructions = '' } = options;
    const worker = await Worker.create({
      shutdownGraceTime: SHUTDOWN_GRACE_MS,
      maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
      ...options.workerOptions,
      connection,
      namespace: settings.temporal.namespace,
      taskQueue: options.taskQueue ?? DEFAULT_TASK_QUEUE,
      activities: createActivities({ database, ledger, lateAnswers, catalogue, model, instructions, limits }),
      ...(options.workflows === false ? {} : workflowSource()),
    });
    const stopped = worker.run().finally(async () => {
      await lateAnswers.drain(SHUTDOWN_GRACE_MS);
      await connection.close();
      await database.close();
    });
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
    await opened?.close();
    await database.close();
    throw error;
  }
}

async function connect({ temporal }: Settings): Promise<NativeConnection> {
  return NativeConnection.connect(temporal.connection).catch((cause: unknown) => {
    throw new TemporalUnreachableError(temporal.connection.address, cause);
  });
}

/** The bundle that the build made, where there is one; it saves a second or two at each start. */
function workflowSource(): Pick<WorkerOptions, 'workflowBundle'> | Pick<WorkerOptions, 'workflowsPath'> {
  const codePath = join(__dirname, 'workflow-bundle.js');
  return existsSync(codePath) ? { workflowBundle: { codePath } } : { workflowsPath: require.resolve('./workflows') };
}
