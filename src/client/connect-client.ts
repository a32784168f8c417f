import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ClientOptions as TemporalClientOptions,
} from '@temporalio/client';
import { Hints } from '../activities/hints';
import { checkNamespace } from '../check-namespace';
import { DEFAULT_MAX_STEPS } from '../default-max-steps';
import { openDatabase } from '../ledger/database';
import { readLedgerId } from '../ledger/ledger-id';
import { checkSchema } from '../ledger/migrate';
import { hasSearchAttributes } from '../search-attributes';
import { readSettings, type Settings } from '../settings';
import { DEFAULT_TASK_QUEUE } from '../task-queue';
import { TemporalUnreachableError } from '../temporal-unreachable-error';
import { wakeReconciliation } from '../wake-reconciliation';
import { type Operations, operationsIn } from './operations';
import { type Pauses, pausesIn } from './pauses';
import { type Reconciliation, reconciliationOf } from './reconciliation';
import { OpenedSession, type Session, type SessionOptions } from './session';
import { TemporalCalls } from './temporal-calls';

/** What `connectClient` takes; nothing is required. */
export interface ClientOptions {
  /** From the environment unless given. */
  readonly settings?: Settings;
  /** `sendonce` unless given; the worker's must be the same. */
  readonly taskQueue?: string;
  /** Model calls one turn may take; 12 unless given. */
  readonly maxSteps?: number;
  /** How Temporal's payloads are written and encrypted; the worker's must be the same. The ledger is not touched by it. */
  readonly dataConverter?: NonNullable<TemporalClientOptions['dataConverter']>;
  /** Interceptors of Temporal's client, for tracing and the like. */
  readonly interceptors?: NonNullable<TemporalClientOptions['interceptors']>;
}

/** One a process: it holds a connection to Temporal and a pool to Postgres. */
export interface SendonceClient {
  /** Opens nothing yet: the session's row is written with its first message. */
  session(options: SessionOptions): Session;
  readonly operations: Operations;
  readonly reconciliation: Reconciliation;
  readonly pauses: Pauses;
  /** Ends what waits, with ClientClosedError, as what is asked of it later; turns go on. Closing again does nothing. */
  close(): Promise<void>;
}

/**
 * Connects and checks the schema. Throws SettingInvalidError, DatabaseUnreachableError, SchemaMissingError,
 * SchemaNewerError, TemporalUnreachableError or NamespaceMissingError.
 */
export async function connectClient(options: ClientOptions = {}): Promise<SendonceClient> {
  const { maxSteps = DEFAULT_MAX_STEPS, taskQueue = DEFAULT_TASK_QUEUE, dataConverter, interceptors } = options;
  // Infinity would reach the workflow as null, and end every turn before its first step.
  if (!Number.isInteger(maxSteps) || maxSteps < 1) {
    throw new RangeError(`maxSteps must be a whole number above zero, not ${String(maxSteps)}.`);
  }
  const settings = options.settings ?? readSettings();
  const database = openDatabase(settings.database);
  let opened: Connection | undefined;
  try {
    await checkSchema(database);
    const ledger = await readLedgerId(database);
    const { connection: connectionOptions, namespace } = settings.temporal;
    const server = connectionOptions.address;
    const closing = new AbortController();
    const connection = await Connection.connect({
      ...connectionOptions,
      interceptors: [retriesUntil(closing.signal)],
    }).catch((cause: unknown) => {
      throw new TemporalUnreachableError(server, cause);
    });
    const temporal = new TemporalCalls(
      new Client({
        connection,
        namespace,
        ...(dataConverter ? { dataConverter } : {}),
        ...(interceptors ? { interceptors } : {}),
      }),
    );
    opened = connection;
    await checkNamespace(connection, settings.temporal);
    const searchAttributes = await hasSearchAttributes(connection, namespace);
    const hints = new Hints();
    hints.connect(() => temporal.run(closing.signal, (client) => wakeReconciliation(client, { ledger, taskQueue })));
    // Once, however many clients and workers start it. A client that is closed at once leaves it to them.
    hints.hint();
    const parts = {
      database,
      hints,
      temporal,
      server,
      closing: closing.signal,
      taskQueue,
      maxSteps,
      searchAttributes,
      ledger,
    };
    const close = async () => {
      closing.abort();
      await hints.close();
      await temporal.settled();
      await connection.close();
      await database.close();
    };
    let closed: Promise<void> | null = null;
    return {
      session: (session) => new OpenedSession(session, parts),
      operations: operationsIn(parts),
      reconciliation: reconciliationOf(parts),
      pauses: pausesIn(parts),
      close: () => {
        closed ??= close();
        return closed;
      },
    };
  } catch (error) {
    await opened?.close();
    await database.close();
    throw error;
  }
}

/** Temporal's own repetition of calls, which stops when the client is closed. */
function retriesUntil(closing: AbortSignal): ReturnType<typeof makeGrpcRetryInterceptor> {
  const { retryableDecider, ...options } = defaultGrpcRetryOptions();
  return makeGrpcRetryInterceptor({
    ...options,
    retryableDecider: (attempt, status) => !closing.aborted && retryableDecider(attempt, status),
  });
}
