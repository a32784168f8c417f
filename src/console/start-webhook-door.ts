import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hints } from '../activities/hints';
import { type DatabaseOptions, openDatabase } from '../ledger/database';
import { checkSchema } from '../ledger/migrate';
import { PostgresLedger } from '../ledger/postgres-ledger';
import { readDatabaseSettings } from '../settings';
import type { Tool } from '../tools/tool';
import { webhookApp } from './webhook-app';
import { noWebhooks, type WebhookCounts } from './webhook-counts';
import { webhookProviders } from './webhook-providers';

/** What `startWebhookDoor` takes. */
export interface WebhookDoorOptions {
  /** As the workers have them. Their providers read the webhooks; the tools themselves are not called. */
  readonly tools: readonly Tool[];
  /** 0 takes a free one. */
  readonly port: number;
  /** `127.0.0.1` unless given: behind a proxy that speaks TLS. */
  readonly host?: string;
  /** Where the ledger is; from the environment unless given. */
  readonly database?: DatabaseOptions;
  /**
   * Called after something new was recorded, once a second at most: `() => sendonce.reconciliation.wake()` of a client
   * lets sessions hear of it at once, and not by reconciliation's next timer. What it throws changes nothing.
   */
  readonly onRecorded?: () => Promise<void> | void;
  /** One line on each delivery that somebody has to look at; to stderr unless given. */
  readonly log?: (line: string) => void;
}

/** A door that takes webhooks. */
export interface WebhookDoor {
  /** Where it listens, without a path. */
  readonly url: string;
  /** `/webhooks/stripe` and the like. */
  readonly paths: readonly string[];
  /** What became of the deliveries so far. */
  counts(): WebhookCounts;
  /** Takes no more, lets those under way finish, and closes. */
  stop(): Promise<void>;
}

/** A client that does not send its body in this time is not a provider's. */
const REQUEST_MS = 30_000;

/** Longer than reading and writing the ledger may take. What has not been answered by then is sent again. */
const DRAIN_MS = 20_000;

/**
 * Takes the webhooks of the tools' providers over HTTP and records what they tell of operations. Any number of doors may
 * be open, beside workers or without. It needs no Temporal.
 *
 * Throws WebhookMissingError, SettingInvalidError, DatabaseUnreachableError, SchemaMissingError or SchemaNewerError, or
 * Node's error where the port is taken, before it takes anything.
 */
export async function startWebhookDoor(options: WebhookDoorOptions): Promise<WebhookDoor> {
  const { host = '127.0.0.1', log = (line: string) => console.error(`sendonce: ${line}`) } = options;
  const providers = webhookProviders(options.tools);
  const database = openDatabase(options.database ?? readDatabaseSettings());
  const counts = noWebhooks();
  const hints = new Hints();
  hints.connect(async () => options.onRecorded?.());
  try {
    await checkSchema(database);
    const app = webhookApp({
      providers,
      database,
      ledger: new PostgresLedger(database),
      now: Date.now,
      count: (result) => {
        counts[result]++;
        if (result === 'recorded') hints.hint();
      },
      log,
    });
    const server = createAdaptorServer({
      fetch: app.fetch,
      serverOptions: { requestTimeout: REQUEST_MS },
    }) as Server;
    server.listen(options.port, host);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    let stopped: Promise<void> | undefined;
    return {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      paths: [...providers.keys()].map((path) => `/webhooks/${path}`),
      counts: () => ({ ...counts }),
      // Two signals are one wish.
      stop: () =>
        (stopped ??= close(server)
          .then(() => Promise.all([hints.close(), database.close()]))
          .then(() => undefined)),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(late);
}
