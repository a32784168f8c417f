import { Pool } from 'pg';
import Stripe from 'stripe';
import { milliseconds, seconds } from '../../operations/time';
import { stripeRefunds } from '../../providers/stripe';
import { readSettings } from '../../settings';
import { holdFirstSend } from '../../testing/held-send';
import { scriptedModel } from '../../testing/scripted-model';
import type { Tool } from '../../tools/tool';
import { startWorker } from '../../worker';
import { ASKINGS } from '../agents/askings';
import { GUARDED, NAIVE } from '../agents/refund-tool';
import { createRefund } from '../naive/create-refund';
import { findOrder } from '../shop/find-order';
import { Orders } from '../shop/orders';
import { refundLineItem } from '../shop/refund-line-item';
import { refundRequest } from '../shop/refund-request';
import { RefundRequests } from '../shop/refund-requests';
import { WORKER_CONFIG_VARIABLE, WorkerConfig, type WorkerMessage } from './worker-config';

/** The secret of the fake Stripe: it lets any in. */
const SECRET_KEY = 'sk_test_demo';

/** The demo's worker: `startWorker` with the shop's tools, in a process of its own that can really be killed. */
async function main(): Promise<void> {
  const config = WorkerConfig.parse(JSON.parse(process.env[WORKER_CONFIG_VARIABLE] ?? 'null'));
  const settings = readSettings();
  const pool = new Pool({ connectionString: settings.database.url });
  pool.on('error', () => undefined);
  const worker = await startWorker({
    settings,
    tools: tools(config, pool),
    model: countedModel(config),
    instructions: 'You are a support agent of a shop.',
    taskQueue: config.taskQueue,
    limits: { heartbeatWithin: milliseconds(config.heartbeatMs) },
    // Not everything that falls due is hinted at, and nobody should wait long before a terminal.
    reconciliation: { every: seconds(1) },
    workflows: config.role !== 'one-activity',
    workerOptions: {
      ...(config.role === 'one-activity' ? { maxConcurrentActivityTaskExecutions: 1 } : {}),
      enableNonLocalActivities: config.role !== 'workflows',
    },
  });
  const stop = () => {
    void worker.stop().catch(() => undefined);
  };
  process.on('SIGTERM', stop);
  // Ctrl-C reaches the whole process group; the parent says when to stop.
  process.on('SIGINT', () => undefined);
  // A parent that was killed says nothing any more.
  process.on('disconnect', stop);
  tell({ kind: 'ready' });
  await worker.stopped;
  await pool.end();
  process.exit(0);
}

function tools(config: WorkerConfig, pool: Pool): Tool[] {
  const orders = new Orders(pool);
  const address = { host: '127.0.0.1', port: config.stripePort, protocol: 'http' } as const;
  const lookup = findOrder(orders);
  if (config.tool !== 'guarded') {
    // It waits for an answer as long as ours does; the SDK's own time-out is 80 s.
    const stripe = new Stripe(SECRET_KEY, { ...address, timeout: config.answerWithinMs });
    return [lookup, createRefund(stripe, config.tool)];
  }
  const stripe = stripeRefunds({
    connect: (ours) => new Stripe(SECRET_KEY, { ...ours, ...address }),
    sharedAccount: config.sharedAccount,
    contract: {
      sendWithin: milliseconds(config.sendWithinMs),
      answerWithin: milliseconds(config.answerWithinMs),
    },
  });
  const provider = config.hold === 'first-send' ? holdFirstSend(stripe, hold) : stripe;
  const requests = new RefundRequests(pool);
  return [lookup, refundLineItem(orders, provider), refundRequest({ orders, requests }, provider)];
}

function countedModel({ asking, tool, hold: where }: WorkerConfig) {
  const refunds = tool === 'guarded' ? GUARDED : NAIVE;
  const script = ASKINGS[asking](refunds);
  let held = where !== 'heard-model';
  return scriptedModel(async (view) => {
    tell({ kind: 'model-called' });
    if (!held && view.results.some((result) => refunds.names.includes(result.tool))) {
      held = true;
      await hold();
    }
    return script(view);
  });
}

/** Told to stop, it holds up nothing: what is marked goes on, and its deadline says whether it may still leave. */
async function hold(): Promise<void> {
  const go = new Promise<void>((resolve) => {
    for (const event of ['message', 'SIGTERM', 'disconnect']) process.once(event, () => resolve());
  });
  tell({ kind: 'holding' });
  await go;
}

function tell(message: WorkerMessage): void {
  if (process.connected) process.send?.(message);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
