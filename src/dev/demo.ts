import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { connectClient, type SendonceClient } from '../client/connect-client';
import { type Database, openDatabase } from '../ledger/database';
import { migrate } from '../ledger/migrate';
import { PostgresLedger } from '../ledger/postgres-ledger';
import type { FakeStripe } from '../testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../testing/fake-stripe/start-fake-stripe';
import { type DevServers, startDevServers } from './servers/dev-servers';
import { requireFreePort } from './servers/ports';
import { Orders } from './shop/orders';
import { RefundRequests } from './shop/refund-requests';
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
  readonly fleet: WorkerFleet;
  readonly taskQueue: string;
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
    if (ports) await requireFreePort(ports.stripe, 'The fake Stripe', 'SENDONCE_STRIPE_PORT');
    const fake = await startFakeStripe({
      journalFile: join(dataDir, 'fake-stripe.jsonl'),
      ...(ports ? { port: ports.stripe } : {}),
    });
    stops.push(() => fake.close());
    onProgress(`The fake Stripe answers on 127.0.0.1:${fake.port}`);
    const settings = {
      database: { url: databaseUrl },
      temporal: { connection: { address: temporal.address }, namespace: temporal.namespace },
    };
    const client = await connectClient({ settings, taskQueue });
    stops.push(() => client.close());
    const logDir = join(dataDir, 'logs');
    mkdirSync(logDir, { recursive: true });
    const fleet = new WorkerFleet({
      databaseUrl,
      temporalAddress: temporal.address,
      temporalNamespace: temporal.namespace,
      logDir,
    });
    stops.push(() => fleet.stop());
    const ledger = new PostgresLedger(database);
    return { servers, database, ledger, fake, orders, requests, client, fleet, taskQueue, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
