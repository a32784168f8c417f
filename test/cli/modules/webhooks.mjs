// What `sendonce webhooks --tools` loads: the file of a worker whose refunds have a webhook secret.
import { defineOperation, id } from 'sendonce';
import { stripeRefunds } from 'sendonce/providers/stripe';
import { scriptedModel } from 'sendonce/testing';
import Stripe from 'stripe';
import { z } from 'zod';

const { STRIPE_PORT = '1', WEBHOOK_SECRET, LEDGER_URL } = process.env;

const refundOrder = defineOperation({
  name: 'refund_order',
  description: 'Refund a whole order.',
  input: z.object({ orderId: z.string() }),
  resolve: ({ orderId }) => ({ orderId }),
  operationId: ({ orderId }) => id`refund-${orderId}`,
  request: () => ({ paymentIntent: 'pi_1', amount: 4500, currency: 'eur' }),
  provider: stripeRefunds({
    connect: (config) => new Stripe('sk_test_1', { ...config, host: '127.0.0.1', port: STRIPE_PORT, protocol: 'http' }),
    webhookSecret: WEBHOOK_SECRET,
  }),
});

export const worker = {
  tools: [refundOrder],
  model: scriptedModel(() => ({ text: 'Hello.' })),
  ...(LEDGER_URL && { settings: { database: { url: LEDGER_URL } } }),
};
