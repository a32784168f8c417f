// What `sendonce ops check --tools` loads: refunds at the test's fake Stripe, letters that nobody can look for, and no
// model, which only a worker needs. The timer is what a module may hold open for as long as its process lives.
import { defineOperation, hours, id, minutes, seconds } from 'sendonce';
import { stripeRefunds } from 'sendonce/providers/stripe';
import Stripe from 'stripe';
import { z } from 'zod';

setInterval(() => undefined, 60_000);

const host = { host: '127.0.0.1', port: Number(process.env.STRIPE_PORT), protocol: 'http' };

const refundLineItem = defineOperation({
  name: 'refund_line_item',
  description: 'Refund one line item.',
  input: z.object({ orderId: z.string(), lineItemId: z.string() }),
  resolve: (input) => input,
  operationId: ({ orderId, lineItemId }) => id`refund-${orderId}-${lineItemId}`,
  request: () => ({ paymentIntent: 'pi_1', amount: 38_000, currency: 'twd' }),
  provider: stripeRefunds({ connect: (config) => new Stripe('sk_test_1', { ...config, ...host }) }),
});

const sendLetter = defineOperation({
  name: 'send_letter',
  description: 'Send a letter.',
  input: z.object({ to: z.string() }),
  resolve: (input) => input,
  operationId: ({ to }) => id`letter-${to}`,
  request: (input) => input,
  provider: {
    name: 'test.letters',
    contract: {
      key: 'none',
      absence: 'inconclusive',
      sendWithin: seconds(10),
      deliverWithin: minutes(15),
      answerWithin: seconds(30),
      acceptedFor: hours(1),
      escalateAfter: hours(24),
    },
    sharedAccount: false,
    encode: (request) => ({ account: '', path: 'send', version: '1', body: JSON.stringify(request) }),
    send: () => Promise.reject(new Error('No letter is sent here.')),
  },
});

export const worker = { tools: [refundLineItem, sendLetter] };
