import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'pg';
import { connectClient, type SendonceClient } from '../client/connect-client';
import { type Database, openDatabase } from '../ledger/database';
import { migrate } from '../ledger/migrate';
import { PostgresLedger } from '../ledger/postgres-ledger';
import type { Duration } from '../operations/time';
import type { FakeStripe } from '../testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../testing/fake-stripe/start-fake-stripe';
import { moveClocks } from './clock/move-clocks';
import { type DevServers, startDevServers } from './servers/dev-servers';
import { requireFreePort } from './servers/ports';
import { Orders } from './shop/orders';
import { RefundRequests } from './shop/refund-requests';
import { openWebhookDoor } from './shop/webhook-door';
import { WorkerFleet } from './workers/worker-fleet';

/** Everything a run needs, running: servers, schema, provider, shop, client. Workers are the run's own. */
export interface Demo {
  readonly servers: DevServers;
  readonly database: Database;
  readonly ledger: PostgresLedger;
  readonly fake: FakeStripe;
  readonly orders: Orders;
  readonly requests: RefundRequests;
  readonly client: SendonceClient;
  /** Temporal's own client, for what no client of ours does: ending a workflow by force. */
  readonly temporal: Client;
  readonly fleet: WorkerFleet;
  readonly taskQueue: string;
  /** Moves the ledger's and the provider's clock together, and wakes reconciliation. */
  moveClock(by: Duration): Promise<void>;
  stop(): Promise<void>;
}

export interface DemoOptions {
  readonly dataDir: string;
  readonly ports?: {
    readonly postgres: number;
    readonly temporal: number;
    readonly temporalUi: number;
    readonly stripe: number;
  };
  readonly taskQueue: string;
  readonly onProgress: (line: string) => void;
}

/** Starts it all; what had started is stopped if the rest cannot. */
export async function startDemo({ dataDir, ports, taskQueue, onProgress }: DemoOptions): Promise<Demo> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  try {
    const servers = await startDevServers({ dataDir, onProgress, ...(ports ? { ports } : {}) });
    stops.push(() => servers.stop());
    const { databaseUrl, temporal } = servers;
    const database = openDatabase({ url: databaseUrl });
    stops.push(() => database.close());
    const migrated = await migrate(database);
    if (migrated.length > 0) onProgress(`Migrated the ledger: ${migrated.length} steps, to ${migrated.at(-1)}`);
    const pool = new Pool({ connectionString: databaseUrl });
    pool.on('error', () => undefined);
    stops.push(() => pool.end());
    const orders = new Orders(pool);
    await orders.prepare();
    const requests = new RefundRequests(pool);
    await requests.prepare();
    const settings = {
      database: { url: databaseUrl },
      temporal: { connection: { address: temporal.address }, namespace: temporal.namespace },
    };
    const client = await connectClient({ settings, taskQueue });
    stops.push(() => client.close());
    if (ports) await requireFreePort(ports.stripe, 'The fake Stripe', 'SENDONCE_STRIPE_PORT');
    const door = await openWebhookDoor({
      databaseUrl,
      orders,
      onRecorded: () => client.reconciliation.wake(),
      log: onProgress,
    });
    stops.push(() => door.stop());
    const fake = await startFakeStripe({
      journalFile: join(dataDir, 'fake-stripe.jsonl'),
      webhook: door.target,
      ...(ports ? { port: ports.stripe } : {}),
    });
    stops.push(() => fake.close());
    // A scenario is about webhooks or goes without: one that came of itself might be faster than the answer.
    fake.webhooks.hold();
    onProgress(`The fake Stripe answers on 127.0.0.1:${fake.port}`);
    const connection = await Connection.connect({ address: temporal.address });
    stops.push(() => connection.close());
    const logDir = join(dataDir, 'logs');
    mkdirSync(logDir, { recursive: true });
    const fleet = new WorkerFleet({
      databaseUrl,
      temporalAddress: temporal.address,
      temporalNamespace: temporal.namespace,
      logDir,
    });
    stops.push(() => fleet.stop());
    const clocks = {
      database,
      moveProvider: (by: Duration) => fake.advanceClock(by),
      wakeReconciliation: () => client.reconciliation.wake(),
    };
    return {
      servers,
      database,
      ledger: new PostgresLedger(database),
      fake,
      orders,
      requests,
      client,
      temporal: new Client({ connection, namespace: temporal.namespace }),
      fleet,
      taskQueue,
      moveClock: async (by) => void (await moveClocks(clocks, by)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
