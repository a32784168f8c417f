import { randomUUID } from 'node:crypto';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { Client, Connection, isGrpcServiceError, type TestService, WorkflowNotFoundError } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WorkerOptions } from '@temporalio/worker';
import { type ClientOptions, connectClient, type SendonceClient } from '../../src/client/connect-client';
import type { TurnReply } from '../../src/client/turn-handle';
import { workflowIdOf } from '../../src/conversations/refs';
import { readTranscript, type TranscriptTurn } from '../../src/conversations/transcript';
import type { Database } from '../../src/ledger/database';
import { readLedgerId } from '../../src/ledger/ledger-id';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import type { Recorded } from '../../src/operations/event';
import { fold, type Operation } from '../../src/operations/fold';
import type { Settings } from '../../src/settings';
import { type Script, scriptedModel } from '../../src/testing/scripted-model';
import type { Tool } from '../../src/tools/tool';
import { type RunningWorker, type StartWorkerOptions, startWorker } from '../../src/worker';
import { reconciliationId } from '../../src/workflows/reconciliation-names';
import type { History } from './history';
import { quietTemporal } from './quiet-temporal';
import { recordHistory } from './recorded-histories';
import { expectReplays, fetchRuns } from './replay';
import { createTestDatabase, type TestDatabase } from './test-database';
import { type SourceEdit, type WorkflowBundle, workflowBundle } from './workflow-bundle';

export interface RigOptions {
  readonly tools?: readonly Tool[];
  readonly model: Script | LanguageModelV4;
  readonly limits?: NonNullable<StartWorkerOptions['limits']>;
  readonly maxSteps?: number;
  readonly workerOptions?: Partial<WorkerOptions>;
  /** False: no worker runs until the test starts one. */
  readonly worker?: boolean;
  /** As `recordAs`, for the reconciliation. */
  readonly recordReconciliationAs?: string;
  /** The file in test/replay/histories that the turn is written to where SENDONCE_RECORD_HISTORIES is set. */
  readonly recordAs?: string;
  /** The same for the last run of the session's workflow. */
  readonly recordSessionAs?: string;
  readonly deliver?: NonNullable<StartWorkerOptions['deliver']>;
}

/** Where and who, if it matters. */
export interface SayingOptions {
  readonly requestKey?: string;
  readonly sessionId?: string;
}

/** Real worker, real client, real servers, for one test: on a task queue and for a tenant of its own. */
export interface Rig {
  readonly tenant: string;
  readonly taskQueue: string;
  readonly settings: Settings;
  readonly database: Database;
  readonly temporal: Client;
  startWorker(change?: Partial<StartWorkerOptions>): Promise<RunningWorker>;
  /** A further client, as of another process. */
  connect(change?: ClientOptions): Promise<SendonceClient>;
  /** Says something as the customer, and waits for what they are told. */
  say(text: string, options?: SayingOptions): Promise<TurnReply>;
  events(operationId: string): Promise<readonly Recorded[]>;
  operation(operationId: string): Promise<Operation | null>;
  /** The turns of the session, oldest first. */
  transcript(sessionId?: string): Promise<readonly TranscriptTurn[]>;
  history(workflowId: string): Promise<History>;
  /** Ends the reconciliation, until something hints at it: for a test that plays its part. */
  endReconciliation(): Promise<void>;
  /** Lets Temporal's clock run ahead by so many milliseconds, and the ledger's with it; only with time skipping. */
  sleep(ms: number): Promise<void>;
}

export interface Rigs {
  start(options: RigOptions): Promise<Rig>;
  /** Leaves a workflow out of the replays: one that began on a release which was taken back replays on no other. */
  leaveOut(workflowId: string): void;
  /** Lets Temporal's clock run ahead while `work` waits; only with time skipping. */
  skippingTime<T>(work: Promise<T>): Promise<T>;
}

interface Temporal {
  readonly address: string;
  readonly connection: Connection;
  close(): Promise<void>;
}

interface Shared extends Temporal {
  readonly test: TestDatabase;
  readonly bundle: WorkflowBundle;
  readonly replayedOn: WorkflowBundle;
  readonly converting: Pick<RigsOptions, 'dataConverter'>;
}

const GRPC_NOT_FOUND = 5;

export const SESSION_ID = 'chat-1';

interface RigsOptions {
  readonly timeSkipping?: boolean;
  /** Of all workers and clients of the file, and of its replays. */
  readonly dataConverter?: NonNullable<StartWorkerOptions['dataConverter']>;
  /** Of the release that the file's histories are replayed on; the sources as they are unless given. */
  readonly replayedOn?: readonly SourceEdit[];
}

/**
 * Database, Temporal and bundle for the tests of one file. Registers jest's hooks: after each test its workers and
 * clients stop, and the history of every turn, session and reconciliation that was started in it is replayed against the code as it is.
 */
export function turnRigs(options: RigsOptions = {}): Rigs {
  let file: Omit<Shared, keyof Temporal> | undefined;
  let temporal: Temporal | undefined;
  let replayed: ReadonlySet<string> = new Set();
  const stops: (() => Promise<void>)[] = [];
  const reconciliations: string[] = [];
  const shared = (): Shared => {
    if (!file || !temporal) throw new Error('Rigs are there within tests only.');
    return { ...file, ...temporal };
  };

  beforeAll(async () => {
    quietTemporal();
    const [test, bundle] = await Promise.all([createTestDatabase(), workflowBundle()]);
    const replayedOn = options.replayedOn ? await workflowBundle(options.replayedOn) : bundle;
    file = {
      test,
      bundle,
      replayedOn,
      converting: options.dataConverter ? { dataConverter: options.dataConverter } : {},
    };
    if (options.timeSkipping !== true) temporal = await openTemporal();
  });
  beforeEach(async () => {
    // A server for each test: its clock jumps ahead by years when a workflow has ended.
    if (options.timeSkipping === true) temporal = await openTimeSkipping();
  });
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    replayed = await replayAll(shared(), reconciliations, replayed);
    if (options.timeSkipping === true) await temporal?.close();
  });
  afterAll(async () => {
    if (options.timeSkipping !== true) await temporal?.close();
    await file?.test.drop();
  });

  return {
    start: async (rigOptions) => {
      // Unique on the server, which all test files share: workflow IDs begin with it.
      const rig = new RunningRig(shared(), `shop-${randomUUID().slice(0, 8)}`, rigOptions);
      stops.push(() => rig.stop());
      reconciliations.push(await rig.reconciliationId());
      await rig.open();
      return rig;
    },
    leaveOut: (workflowId) => {
      replayed = new Set([...replayed, workflowId]);
    },
    skippingTime: async (work) => {
      const clock = clockOf(shared());
      await clock.unlockTimeSkipping({});
      try {
        return await work;
      } finally {
        await clock.lockTimeSkipping({});
      }
    },
  };
}

function clockOf({ connection: { testService } }: Pick<Temporal, 'connection'>): TestService {
  if (!testService) throw new Error('Only a rig with time skipping skips time.');
  return testService;
}

interface RigWorker {
  readonly worker: RunningWorker;
  isOver: boolean;
}

class RunningRig implements Rig {
  readonly tenant: string;
  readonly taskQueue: string;
  readonly settings: Settings;
  readonly database: Database;
  readonly temporal: Client;
  readonly #connection: Connection;
  readonly #bundle: WorkflowBundle;
  readonly #options: RigOptions;
  readonly #converting: Pick<RigsOptions, 'dataConverter'>;
  readonly #ledger: PostgresLedger;
  readonly #workers: RigWorker[] = [];
  readonly #clients: SendonceClient[] = [];
  #messages = 0;

  constructor({ test, bundle, connection, address, converting }: Shared, tenant: string, options: RigOptions) {
    this.tenant = tenant;
    this.taskQueue = `queue-${tenant}`;
    this.settings = {
      database: { url: test.url, poolSize: 5 },
      temporal: { connection: { address }, namespace: 'default' },
    };
    this.database = test.database;
    this.temporal = new Client({ connection });
    this.#connection = connection;
    this.#bundle = bundle;
    this.#options = options;
    this.#converting = converting;
    this.#ledger = new PostgresLedger(test.database);
  }

  async open(): Promise<void> {
    await Promise.all([this.connect(), this.#options.worker === false ? null : this.startWorker()]);
  }

  async startWorker(change: Partial<StartWorkerOptions> = {}): Promise<RunningWorker> {
    const { tools = [], model, limits, workerOptions, deliver } = this.#options;
    const worker = await startWorker({
      settings: this.settings,
      taskQueue: this.taskQueue,
      tools,
      model: typeof model === 'function' ? scriptedModel(model) : model,
      ...(limits ? { limits } : {}),
      ...(deliver ? { deliver } : {}),
      ...this.#converting,
      ...change,
      // A test that leaves a gate closed shall fail, and not hang.
      workerOptions: {
        workflowBundle: this.#bundle,
        shutdownForceTime: '20s',
        ...workerOptions,
        ...change.workerOptions,
      },
    });
    const running: RigWorker = { worker, isOver: false };
    const over = () => {
      running.isOver = true;
    };
    worker.stopped.then(over, over);
    this.#workers.push(running);
    return worker;
  }

  async connect(change: ClientOptions = {}): Promise<SendonceClient> {
    const { settings, taskQueue } = this;
    const { maxSteps } = this.#options;
    const limit = maxSteps === undefined ? {} : { maxSteps };
    const client = await connectClient({ settings, taskQueue, ...limit, ...this.#converting, ...change });
    this.#clients.push(client);
    return client;
  }

  async say(text: string, options: SayingOptions = {}): Promise<TurnReply> {
    const { requestKey = `message-${++this.#messages}`, sessionId = SESSION_ID } = options;
    const [client] = this.#clients;
    if (!client) throw new Error('The rig is not open.');
    return client.session({ tenant: this.tenant, customer: 'customer-77', sessionId }).say(text, { requestKey });
  }

  async events(operationId: string): Promise<readonly Recorded[]> {
    return (await this.#ledger.load({ tenant: this.tenant, operationId })).events;
  }

  async operation(operationId: string): Promise<Operation | null> {
    return fold(await this.events(operationId));
  }

  async transcript(sessionId = SESSION_ID): Promise<readonly TranscriptTurn[]> {
    return readTranscript(this.database, { tenant: this.tenant, sessionId, turn: 1_000 });
  }

  async history(workflowId: string): Promise<History> {
    return this.temporal.workflow.getHandle(workflowId).fetchHistory();
  }

  async sleep(ms: number): Promise<void> {
    const clock = clockOf({ connection: this.#connection });
    let isOver = false;
    const sleeping = clock.unlockTimeSkippingWithSleep({ duration: msToTs(ms) }).finally(() => {
      isOver = true;
    });
    // Closely: a workflow that slept until something is due by the ledger's clock must find it due.
    while (!isOver) await this.#followClock(clock);
    await sleeping;
    await this.#followClock(clock);
  }

  async #followClock(clock: TestService): Promise<void> {
    const { time } = await clock.getCurrentTime({});
    const { pool, schema } = this.database;
    await pool.query(
      `update ${schema}.clock set ahead = greatest(ahead, timestamptz 'epoch' + $1 * interval '1 ms' - clock_timestamp())`,
      [tsToMs(time)],
    );
  }

  /** The workflow ID of its reconciliation. */
  async reconciliationId(): Promise<string> {
    return reconciliationId({ ledger: await readLedgerId(this.database), taskQueue: this.taskQueue });
  }

  async endReconciliation(): Promise<void> {
    const handle = this.temporal.workflow.getHandle(await this.reconciliationId());
    await handle.terminate().catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
  }

  async #record(name: string, workflowId: string): Promise<void> {
    recordHistory({ name, history: await this.history(workflowId) });
  }

  async stop(): Promise<void> {
    const { recordAs, recordSessionAs, recordReconciliationAs } = this.#options;
    if (recordReconciliationAs !== undefined && process.env['SENDONCE_RECORD_HISTORIES']) {
      await this.#record(recordReconciliationAs, await this.reconciliationId());
    }
    if (recordAs !== undefined && process.env['SENDONCE_RECORD_HISTORIES']) {
      await this.#record(recordAs, `turn/${this.tenant}/${SESSION_ID}/1`);
    }
    if (recordSessionAs !== undefined && process.env['SENDONCE_RECORD_HISTORIES']) {
      await this.#record(recordSessionAs, `session/${this.tenant}/${SESSION_ID}`);
    }
    await Promise.all(this.#workers.map(({ worker, isOver }) => (isOver ? worker.stopped : worker.stop())));
    // A test may have closed one itself.
    await Promise.allSettled(this.#clients.map((client) => client.close()));
    // It would sleep and wake on the server for as long as that runs.
    await this.temporal.workflow
      .getHandle(await this.reconciliationId())
      .terminate()
      .catch(() => undefined);
  }
}

/** Replays what was not replayed yet. A message whose turn was never started has no history. */
async function replayAll(
  { test, replayedOn, connection, converting }: Shared,
  reconciliations: readonly string[],
  replayed: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const { rows } = await test.database.pool.query<{ tenant: string; sessionId: string; turn: number }>(
    `select tenant, session_id as "sessionId", turn from ${test.database.schema}.turns order by 1, 2, 3`,
  );
  const sessions = new Set(rows.map(({ tenant, sessionId }) => `session/${tenant}/${sessionId}`));
  const ids = [...rows.map(workflowIdOf), ...sessions, ...reconciliations];
  const client = new Client({ connection });
  const histories = await Promise.all(
    ids
      .filter((id) => !replayed.has(id))
      .map((id) =>
        fetchRuns(client, id).catch((error: unknown) => {
          if (error instanceof WorkflowNotFoundError || isNotFound(error)) return [];
          throw error;
        }),
      ),
  );
  await expectReplays(replayedOn, histories.flat(), converting);
  return new Set(ids);
}

/** `fetchHistory` gives the server's own error. */
function isNotFound(error: unknown): boolean {
  return isGrpcServiceError(error) && error.code === GRPC_NOT_FOUND;
}

async function openTemporal(): Promise<Temporal> {
  const address = process.env['SENDONCE_TEST_TEMPORAL_ADDRESS'];
  if (address === undefined) throw new Error('The first line of the test file must say that it needs Temporal.');
  const connection = await Connection.connect({ address });
  return { address, connection, close: () => connection.close() };
}

async function openTimeSkipping(): Promise<Temporal> {
  const path = process.env['SENDONCE_TEST_TIME_SKIPPING_SERVER'];
  if (path === undefined) throw new Error('The first line of the test file must say that it needs time skipping.');
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  const { address, connection } = environment;
  return { address, connection, close: () => environment.teardown() };
}
