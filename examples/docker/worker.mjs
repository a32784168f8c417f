// The worker of docker-compose.yml: one tool that refunds an order, a model that follows a script, and a fake Stripe in
// the same process, so that nothing has to be signed up for. Put your own tools and a real model in their place.
import { defineOperation, id, RefusedError } from 'sendonce';
import { stripeRefunds } from 'sendonce/providers/stripe';
import { scriptedModel, startFakeStripe } from 'sendonce/testing';
import Stripe from 'stripe';
import { z } from 'zod';

// The journal keeps its refunds over a restart.
const { host, port, protocol, ...stripe } = await startFakeStripe({ journalFile: process.env.FAKE_STRIPE_JOURNAL });

const orders = new Map(
  ['1043', '1044'].map((number) => {
    const payment = { id: `pi_${number}`, amount: 38_000, currency: 'eur' };
    stripe.addPayment(payment);
    return [number, { number, payment }];
  }),
);

// The answer to the first refund of order 1044 is lost: its outcome is unknown, until the customer asks again.
stripe.arm({ kind: 'drop-answer', route: 'create', key: 'refund-1044' });

const refundOrder = defineOperation({
  name: 'refund_order',
  description: 'Refund a whole order that the customer has paid for.',
  input: z.object({ order: z.string().describe('The order number, for example 1043.') }),
  // Here your own code finds out whether the order is the caller's.
  resolve: (input) => {
    const order = orders.get(input.order.replace(/\D/g, ''));
    if (!order) throw new RefusedError(`There is no order ${input.order}.`);
    return { order };
  },
  operationId: ({ order }) => id`refund-${order.number}`,
  request: ({ order: { payment } }) => ({
    paymentIntent: payment.id,
    amount: payment.amount,
    currency: payment.currency,
  }),
  provider: stripeRefunds({ connect: (config) => new Stripe('sk_test_fake', { ...config, host, port, protocol }) }),
});

/** Calls the tool for the order in the customer's last message, and tells what it was told. */
const model = scriptedModel(({ said, results }) => {
  const order = /\d+/.exec(said.at(-1) ?? '')?.[0];
  if (order === undefined) return { text: 'Which order is it about? There are 1043 and 1044.' };
  const told = results.findLast((result) => result.turn === said.length);
  return told ? { text: told.text } : { calls: [{ tool: 'refund_order', input: { order } }] };
});

export const worker = { tools: [refundOrder], model, instructions: 'You are a support agent of a shop.' };
