// A tool of its own, in an ES module: node refund.mjs NAME, which names its tenant and task queue.
import { defineOperation, id, migrate, openDatabase, RefusedError, readSettings, startWorker } from 'sendonce';
import { connectClient } from 'sendonce/client';
import { stripeRefunds } from 'sendonce/providers/stripe';
import { scriptedModel, startFakeStripe } from 'sendonce/testing';
import Stripe from 'stripe';
import { z } from 'zod';

const name = process.argv[2];
const fake = await startFakeStripe();
const { host, port, protocol } = fake;
const { id: paymentIntent } = fake.addPayment({ amount: 4500, currency: 'eur' });

const refundOrder = defineOperation({
  name: 'refund_order',
  description: 'Refund a whole order.',
  input: z.object({ orderId: z.string() }),
  resolve: ({ orderId }) => {
    if (orderId !== '7') throw new RefusedError(`There is no order ${orderId}.`);
    return { order: { id: orderId, paymentIntent, amount: 4500, currency: 'eur' } };
  },
  operationId: ({ order }) => id`refund-${order.id}`,
  request: ({ order: { paymentIntent, amount, currency } }) => ({ paymentIntent, amount, currency }),
  provider: stripeRefunds({ connect: (config) => new Stripe('sk_test_1', { ...config, host, port, protocol }) }),
});
const ask = { calls: [{ tool: 'refund_order', input: { orderId: '7' } }] };
const model = scriptedModel(({ results }) => (results.length === 0 ? ask : { text: results[0].text }));

const database = openDatabase(readSettings().database);
await migrate(database);
const worker = await startWorker({ tools: [refundOrder], model, taskQueue: name });
const client = await connectClient({ taskQueue: name });
const session = client.session({ tenant: name, customer: 'c-1', sessionId: 's-1' });
const reply = await session.say('Refund order 7, please.', { requestKey: 'm-1' });
console.log(JSON.stringify({ reply, counted: fake.report().totals }));
await Promise.all([client.close(), worker.stop(), database.close(), fake.close()]);
