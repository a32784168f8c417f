import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/ledger/database';
import type { Settings } from '../../src/settings';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import { FaultyWire } from '../support/faulty-wire';
import type { Cell } from './cells';
import { contractOf, type FaultLimits, limitsFor } from './fault-limits';
import type { FaultWorkerOptions } from './fault-worker';
import { FaultWorkerChild } from './fault-worker-child';
import { heldAt, needsSecond } from './inject';
import type { Stage } from './stage';

/** What one cell has for itself: a ledger, a provider, the wires to them, and the workers. */
export interface CellParts {
  readonly tenant: string;
  readonly taskQueue: string;
  /** Of the client: straight to the servers, since the wires are the workers'. */
  readonly settings: Settings;
  readonly database: Database;
  readonly stripe: FakeStripe;
  readonly limits: FaultLimits;
  readonly providerWire: FaultyWire;
  readonly ledgerWire: FaultyWire;
  readonly temporalWire: FaultyWire;
  readonly first: FaultWorkerChild;
  readonly second: FaultWorkerChild | null;
}

/** Hands to `onClose` how each part is closed as soon as it is there, so that nothing is left where a later one fails. */
export async function openParts(
  stage: Stage,
  cell: Cell,
  { broken = false }: { readonly broken?: boolean },
  onClose: (close: () => Promise<unknown>) => void,
): Promise<CellParts> {
  const { url, database, drop } = await stage.createDatabase();
  onClose(drop);
  const stripe = await startFakeStripe({});
  onClose(() => stripe.close());
  const providerWire = await FaultyWire.to(stripe.host, stripe.port);
  onClose(() => providerWire.close());
  const server = new URL(url);
  const ledgerWire = await FaultyWire.to(server.hostname, Number(server.port));
  onClose(() => ledgerWire.close());
  const { address, namespace } = stage.temporal;
  const [host = '', port = ''] = address.split(':');
  const temporalWire = await FaultyWire.to(host, Number(port));
  onClose(() => temporalWire.close());
  const settings: Settings = {
    database: { url, poolSize: 5 },
    temporal: { connection: { address }, namespace },
  };
  server.port = String(ledgerWire.port);
  // Names of workflows begin with it, and all cells share one Temporal.
  const tenant = `shop-${randomUUID().slice(0, 8)}`;
  const taskQueue = `queue-${tenant}`;
  const limits = limitsFor(cell.fault);
  const worker: FaultWorkerOptions = {
    settings: {
      database: { url: server.href, poolSize: 10 },
      temporal: { connection: { address: `127.0.0.1:${temporalWire.port}` }, namespace },
    },
    taskQueue,
    stripePort: providerWire.port,
    bundle: stage.bundle,
    contract: contractOf(limits),
    heartbeatWithinMs: limits.heartbeatWithinMs,
    holdAt: heldAt(cell),
    beats: cell.fault !== 'slow-answer',
    waits: false,
    broken,
  };
  const first = new FaultWorkerChild(worker);
  onClose(() => first.end());
  // Its way to Temporal is its own; those to provider and ledger are everybody's.
  const another = {
    ...worker,
    settings: { ...worker.settings, temporal: settings.temporal },
    holdAt: null,
    waits: true,
  };
  const second = needsSecond(cell.fault) ? new FaultWorkerChild(another) : null;
  if (second !== null) onClose(() => second.end());
  return {
    tenant,
    taskQueue,
    settings,
    database,
    stripe,
    limits,
    providerWire,
    ledgerWire,
    temporalWire,
    first,
    second,
  };
}

/** The last first, and all of them, whatever becomes of one. */
export async function closeAll(closes: (() => Promise<unknown>)[]): Promise<void> {
  for (let close = closes.pop(); close !== undefined; close = closes.pop()) await close().catch(() => undefined);
}
