import { Pool } from 'pg';
import Stripe from 'stripe';
import { milliseconds } from '../../operations/time';
import type { Provider } from '../../providers/provider';
import { type StripeRefundRequest, stripeRefunds } from '../../providers/stripe';
import { readSettings } from '../../settings';
import { holdFirstSend } from '../../testing/held-send';
import { scriptedModel } from '../../testing/scripted-model';
import type { Tool } from '../../tools/tool';
import { startWorker } from '../../worker';
import { eagerAgent } from '../agents/eager-agent';
import { GUARDED, NAIVE } from '../agents/refund-tools';
import { createRefund } from '../naive/create-refund';
import { findOrder } from '../shop/find-order';
import { Orders } from '../shop/orders';
import { refundLineItem } from '../shop/refund-line-item';
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
    tools: tools(config, new Orders(pool)),
    model: countedModel(config),
    instructions: 'You are a support agent of a shop.',
    taskQueue: config.taskQueue,
    limits: { heartbeatWithin: milliseconds(config.heartbeatMs) },
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

function tools(config: WorkerConfig, orders: Orders): Tool[] {
  const address = { host: '127.0.0.1', port: config.stripePort, protocol: 'http' } as const;
  const lookup = findOrder(orders);
  if (config.tool !== 'guarded') return [lookup, createRefund(new Stripe(SECRET_KEY, address), config.tool)];
  const provider = stripeRefunds({
    connect: (ours) => new Stripe(SECRET_KEY, { ...ours, ...address }),
    contract: {
      sendWithin: milliseconds(config.sendWithinMs),
      answerWithin: milliseconds(config.answerWithinMs),
    },
  });
  return [lookup, refundLineItem(orders, config.holdFirstSend ? held(provider) : provider)];
}

function held(provider: Provider<StripeRefundRequest>): Provider<StripeRefundRequest> {
  return holdFirstSend(provider, async () => {
    // Told to stop, it holds up nothing: what is marked goes on, and its deadline says whether it may still leave.
    const go = new Promise<void>((resolve) => {
      for (const event of ['message', 'SIGTERM', 'disconnect']) process.once(event, () => resolve());
    });
    tell({ kind: 'holding-send' });
    await go;
  });
}

function countedModel({ asking, tool }: WorkerConfig) {
  const script = eagerAgent(asking, tool === 'guarded' ? GUARDED : NAIVE);
  return scriptedModel((view) => {
    tell({ kind: 'model-called' });
    return script(view);
  });
}

function tell(message: WorkerMessage): void {
  if (process.connected) process.send?.(message);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
