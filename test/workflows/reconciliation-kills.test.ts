// Needs Postgres; the workflow server is its own, since it is killed.
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts } from '../../src/dev/servers/ports';
import { startTemporal, type TemporalServer } from '../../src/dev/servers/start-temporal';
import { serversOn } from '../../src/dev/servers/temporal-leftover';
import { makeThrowawayFolder } from '../../src/dev/servers/throwaway-folder';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import type { Settings } from '../../src/settings';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import { scriptedModel } from '../../src/testing/scripted-model';
import { type RunningWorker, startWorker } from '../../src/worker';
import { refund } from '../support/killable-worker';
import { quietTemporal } from '../support/quiet-temporal';
import { callRefund, readFold } from '../support/refund-rig';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';
import { startWorkerChild, type WorkerChild } from '../support/worker-child';

const TENANT = 'shop';
const TASK_QUEUE = 'kills';
const OPERATIONS = Array.from({ length: 200 }, (_, index) => ({
  operationId: `refund-pi_${index}`,
  paymentIntent: `pi_${index}`,
  // Of each ten, three were made and their answers lost, four never arrived, three were made and a 500 was stored.
  fate: (['drop-answer', 'drop-request', 'server-error'] as const)[
    [0, 0, 0, 1, 1, 1, 1, 2, 2, 2][index % 10] as 0 | 1 | 2
  ],
}));

let stripe: FakeStripe;
let ledgerDatabase: TestDatabase;
let folder: string;
let temporal: TemporalServer;
let worker: RunningWorker | undefined;
let child: WorkerChild | undefined;

beforeAll(async () => {
  quietTemporal();
  stripe = await startFakeStripe({});
  ledgerDatabase = await createTestDatabase();
  folder = makeThrowawayFolder(tmpdir(), 'sendonce-kills-');
});
afterAll(async () => {
  child?.process.kill('SIGKILL');
  await worker?.stop().catch(() => undefined);
  await temporal?.stop();
  await stripe.close();
  await ledgerDatabase.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('kill -9 of the worker and of Temporal in a pass over 200 unknown operations → all settled, one effect each', async () => {
  const ledger = new PostgresLedger(ledgerDatabase.database);
  for (const { operationId, paymentIntent, fate } of OPERATIONS) {
    stripe.addPayment({ id: paymentIntent, amount: 100, currency: 'twd' });
    stripe.arm({ route: 'create', ...(fate === 'server-error' ? { kind: fate, effect: true } : { kind: fate }) });
    const call = { ledger, fake: stripe, tenant: TENANT, operationId, paymentIntent, amount: 100, tool: 'refund' };
    expect(await callRefund(call)).toMatchObject({ reply: { code: 'outcome_unknown' } });
  }
  const dataDir = join(folder, 'temporal');
  const [port = 0, uiPort = 0] = await findFreePorts(2);
  temporal = await startTemporal({ dataDir, port, uiPort, fast: true });
  const settings: Settings = {
    database: { url: ledgerDatabase.url, poolSize: 5 },
    temporal: { connection: { address: temporal.address }, namespace: temporal.namespace },
  };
  const open = async () => {
    const { rows } = await ledgerDatabase.database.pool.query<{ count: number }>(
      `select count(*)::int as count from sendonce.operations where state not in ('confirmed', 'escalated')`,
    );
    return rows[0]?.count ?? 0;
  };
  expect(await open()).toBe(200);
  await ledgerDatabase.advanceClock(6_000);

  // It stops between mark and send of the first one that it sends again; the others of the pass go on beside it.
  child = startWorkerChild({ settings, taskQueue: TASK_QUEUE, stripePort: stripe.port });
  await child.said('sending');
  child.process.kill('SIGKILL');
  expect(await open()).toBeGreaterThan(100);

  worker = await startWorker({
    settings,
    taskQueue: TASK_QUEUE,
    tools: [refund(stripe.port)],
    model: scriptedModel(() => ({ text: 'Hello.' })),
    workerOptions: { shutdownForceTime: '20s' },
  });
  const before = await open();
  await until(async () => {
    await ledgerDatabase.advanceClock(5_000);
    return (await open()) < before - 20;
  });
  for (const pid of serversOn(join(dataDir, 'temporal.db'))) process.kill(pid, 'SIGKILL');
  await temporal.stop();
  temporal = await startTemporal({ dataDir, port, uiPort, fast: true });

  await until(async () => {
    await ledgerDatabase.advanceClock(5_000);
    return (await open()) === 0;
  });
  const { effects } = stripe.report();
  expect(effects).toHaveLength(200);
  expect(new Set(effects.map(({ paymentIntent }) => paymentIntent)).size).toBe(200);
  for (const { operationId } of OPERATIONS) {
    const operation = await readFold({ ledger, tenant: TENANT, operationId });
    expect([operationId, operation?.state, operation?.current.attempts.length]).toEqual([
      operationId,
      'confirmed',
      expect.any(Number),
    ]);
  }
}, 240_000);
