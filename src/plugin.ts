import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { Worker, type WorkerOptions, type WorkerPlugin } from '@temporalio/worker';
import type { LanguageModel } from 'ai';
import type { Escalation, OnEscalated } from './activities/announce';
import { type CallLimitOptions, callLimits } from './activities/call-limits';
import { callOptionsOf } from './activities/call-options';
import type { WaitingSession } from './activities/context';
import { createActivities } from './activities/create-activities';
import { Hints } from './activities/hints';
import { LateAnswers } from './activities/late-answers';
import { lookUpWith } from './activities/look-up';
import { type ReconciliationOptions, reconciliationLimits } from './activities/reconciliation-limits';
import { ActivityNameTakenError } from './activity-name-taken-error';
import type { FollowUpMessage } from './conversations/follow-ups';
import { DEFAULT_MAX_STEPS } from './default-max-steps';
import { type Database, type DatabaseOptions, openDatabase } from './ledger/database';
import { readLedgerId } from './ledger/ledger-id';
import { checkSchema } from './ledger/migrate';
import { PostgresLedger } from './ledger/postgres-ledger';
import { runTogether } from './run-together';
import { hasSearchAttributes } from './search-attributes';
import { readDatabaseSettings } from './settings';
import { catalogueOf } from './tools/catalogue';
import { operationStatus } from './tools/operation-status';
import type { Tool } from './tools/tool';
import { type ToolQueue, toolQueues } from './tools/tool-queues';
import { wakeReconciliation } from './wake-reconciliation';
import { wakeSession } from './wake-session';
import { workflowSource } from './workflow-source';
import { WorkflowsPinnedError } from './workflows-pinned-error';

/** What `sendoncePlugin` takes. */
export interface PluginOptions {
  readonly tools: readonly Tool[];
  /** Any language model of the AI SDK. */
  readonly model: LanguageModel;
  /** The system prompt. */
  readonly instructions?: string;
  readonly limits?: Partial<CallLimitOptions>;
  /**
   * Brings the customer what they are told later: of an operation that settled after its turn. Called at least once for each
   * message, again until it succeeds, under the same `messageId`; without it they read it in the conversation only.
   */
  readonly deliver?: (message: FollowUpMessage) => Promise<void>;
  /** Where the ledger is; from the environment unless given. */
  readonly database?: DatabaseOptions;
  /** False: the worker runs activities only, beside another that runs the workflows. */
  readonly workflows?: boolean;
  /** How reconciliation works. It is one workflow a ledger and task queue, started by whichever worker comes first. */
  readonly reconciliation?: Partial<ReconciliationOptions>;
  /** Tells people of an operation that was put before them: at least once, by a stable key. A log line unless given. */
  readonly onEscalated?: OnEscalated;
  /** False: tools with a task queue of their own are left to workers that were started on it. */
  readonly toolQueues?: boolean;
}

/** Everything the toolkit brings to a worker, for those who make their worker themselves. One plugin serves one worker. */
export interface SendoncePlugin extends WorkerPlugin {
  /** One per tool under the tool's name, and the toolkit's own with `sendonce.` in front. The plugin adds them. */
  readonly activities: Readonly<Record<string, (input: never) => Promise<unknown>>>;
  /** Closes the ledger's connections, for a plugin whose worker never ran; a worker that ran has closed them. */
  close(): Promise<void>;
}

/** The least time a worker that stops gives its calls: commits and a late answer fit in. */
const LEAST_SHUTDOWN_GRACE_MS = 60_000;

/** Temporal may be away for a moment. */
const START_AGAIN_AFTER_MS = 2_000;

/**
 * Lets every heartbeat through. Temporal's own throttle sends one in 80 % of the heartbeat time-out: a cancellation, which
 * comes back with a heartbeat, would take 24 s to reach a model call, and one lost beat would pass for a dead worker.
 */
const HEARTBEAT_THROTTLE_MS = 100;

/**
 * For `plugins` of a worker of your own. Opens the ledger and checks tools and schema before the worker is made. Adds
 * its activities beside yours, its workflows where you name none, and workers for tools with a task queue of their own.
 *
 * Throws SettingInvalidError, DatabaseUnreachableError, SchemaMissingError, SchemaNewerError, ToolNameTakenError or
 * QueueLimitsConflictError; `Worker.create` throws ActivityNameTakenError or WorkflowsPinnedError.
 */
export async function sendoncePlugin(options: PluginOptions): Promise<SendoncePlugin> {
  const limits = callLimits(options.limits);
  const reconciliation = reconciliationLimits(options.reconciliation);
  const database = openDatabase(options.database ?? readDatabaseSettings());
  try {
    const ledger = new PostgresLedger(database);
    const hints = new Hints();
    const lateAnswers = new LateAnswers(
      ledger,
      (operationId, error) => {
        console.error(`sendonce: a late answer of ${operationId} could not be recorded: ${String(error)}`);
      },
      // It may have settled what somebody waits for.
      () => hints.hint(),
    );
    const status = operationStatus(lookUpWith({ tools: options.tools, ledger, lateAnswers, limits }));
    const tools = [...options.tools, status];
    const catalogue = catalogueOf(tools);
    toolQueues(tools, '');
    await checkSchema(database);
    const ledgerId = await readLedgerId(database);
    const { model, instructions = '', workflows = true, onEscalated = logEscalation, deliver = null } = options;
    const plugin: Plugin = new Plugin({
      activities: createActivities({
        database,
        ledger,
        ledgerId,
        lateAnswers,
        catalogue,
        model,
        instructions,
        limits,
        deliver,
        reconciliation,
        hints,
        onEscalated,
        wakeSession: (session) => plugin.wakeSession(session),
      }),
      ledgerId,
      hints,
      tools,
      shutdownGraceMs: Math.max(
        LEAST_SHUTDOWN_GRACE_MS,
        ...tools.map((tool) => callOptionsOf(tool, limits).startToCloseMs),
      ),
      workflows,
      ownQueues: options.toolQueues ?? true,
      lateAnswers,
      database,
    });
    return plugin;
  } catch (error) {
    // A connection that stays open keeps the process alive that has just heard why it cannot start.
    await database.close();
    throw error;
  }
}

function logEscalation({ operationId, tenant, reason }: Escalation): void {
  Context.current().log.warn(`The operation ${operationId} of ${tenant} is before a person: ${reason}`);
}

interface Parts {
  readonly activities: SendoncePlugin['activities'];
  readonly ledgerId: string;
  readonly hints: Hints;
  readonly tools: readonly Tool[];
  readonly shutdownGraceMs: number;
  readonly workflows: boolean;
  readonly ownQueues: boolean;
  readonly lateAnswers: LateAnswers;
  readonly database: Database;
}

class Plugin implements SendoncePlugin {
  readonly name = 'sendonce';
  readonly #parts: Parts;
  #configured: WorkerOptions | null = null;
  #closed: Promise<void> | null = null;
  #worker: Worker | null = null;
  #searchAttributes: Promise<boolean> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get activities(): SendoncePlugin['activities'] {
    return this.#parts.activities;
  }

  configureWorker(options: WorkerOptions): WorkerOptions {
    if (this.#configured !== null) {
      throw new TypeError('A sendonce plugin serves one worker, and this one has its worker. Make a plugin for each.');
    }
    const { activities, shutdownGraceMs, workflows } = this.#parts;
    const theirs = namedActivities(options.activities);
    const taken = Object.keys(activities).find((name) => name in theirs);
    if (taken !== undefined) throw new ActivityNameTakenError(taken);
    const hasWorkflows = options.workflowBundle !== undefined || options.workflowsPath !== undefined;
    // A file of theirs may say so itself, workflow by workflow.
    const isPinned = options.workerDeploymentOptions?.defaultVersioningBehavior === 'PINNED';
    if (workflows && !hasWorkflows && isPinned) throw new WorkflowsPinnedError();
    this.#configured = {
      shutdownGraceTime: shutdownGraceMs,
      maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
      ...options,
      activities: { ...theirs, ...activities },
      ...(workflows && !hasWorkflows ? workflowSource(options) : {}),
    };
    return this.#configured;
  }

  async runWorker(worker: Worker, next: (worker: Worker) => Promise<void>): Promise<void> {
    this.#worker = worker;
    const stopping = new AbortController();
    const started = this.#startReconciliation(worker, stopping.signal);
    try {
      await runTogether({ worker, run: () => next(worker) }, () => this.#queueWorkers());
    } finally {
      stopping.abort();
      await started;
      await this.#parts.hints.close();
      await this.#parts.lateAnswers.drain(this.#parts.shutdownGraceMs);
      await this.close();
    }
  }

  async wakeSession({ taskQueue, maxSteps, ...session }: WaitingSession): Promise<void> {
    const worker = this.#worker;
    if (worker?.client === undefined) throw new Error('Bug: a session is woken by a worker that does not run.');
    const { client, options } = worker;
    this.#searchAttributes ??= hasSearchAttributes(client.connection, options.namespace);
    await wakeSession(client, {
      ...session,
      ledger: this.#parts.ledgerId,
      taskQueue: taskQueue ?? options.taskQueue,
      maxSteps: maxSteps ?? DEFAULT_MAX_STEPS,
      searchAttributes: await this.#searchAttributes,
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#parts.database.close();
    return this.#closed;
  }

  /** Once, however many workers start: the others only hint. A worker takes work meanwhile, whatever becomes of it. */
  async #startReconciliation({ client, options: { taskQueue } }: Worker, stopping: AbortSignal): Promise<void> {
    if (client === undefined) return;
    const { ledgerId: ledger, hints } = this.#parts;
    const wake = () => wakeReconciliation(client, { ledger, taskQueue });
    hints.connect(wake);
    for (;;) {
      try {
        await wake();
        return;
      } catch {
        await sleep(START_AGAIN_AFTER_MS, undefined, { signal: stopping }).catch(() => undefined);
        if (stopping.aborted) return;
      }
    }
  }

  async #queueWorkers(): Promise<Worker[]> {
    const configured = this.#configured;
    if (configured === null || !this.#parts.ownQueues) return [];
    const queues = toolQueues(this.#parts.tools, configured.taskQueue ?? '');
    return Promise.all(queues.map((queue) => Worker.create(this.#queueOptions(configured, queue))));
  }

  /** As the worker's own, with the queue's activities and limits alone. */
  #queueOptions(
    configured: WorkerOptions,
    { taskQueue, tools, maxConcurrent, maxPerSecond }: ToolQueue,
  ): WorkerOptions {
    const { workflowBundle: _bundle, workflowsPath: _path, plugins: _plugins, tuner: _tuner, ...options } = configured;
    const { activities } = this.#parts;
    return {
      ...options,
      taskQueue,
      activities: Object.fromEntries(
        Object.entries(activities).filter(([name]) => tools.some((tool) => tool.name === name)),
      ),
      ...(maxConcurrent === undefined ? {} : { maxConcurrentActivityTaskExecutions: maxConcurrent }),
      ...(maxPerSecond === undefined ? {} : { maxTaskQueueActivitiesPerSecond: maxPerSecond }),
    };
  }
}

function namedActivities(activities: WorkerOptions['activities']): Record<string, (...args: never[]) => unknown> {
  const entries = activities instanceof Map ? [...activities] : Object.entries(activities ?? {});
  return Object.fromEntries(entries.filter(([, activity]) => typeof activity === 'function'));
}
