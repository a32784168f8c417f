// Needs nothing but local ports: stripeRefunds and the fake Stripe, through the kit.
import Stripe from 'stripe';
import { stripeRefunds } from '../../src/providers/stripe';
import { describeProvider, fakeStripeDownstream } from '../../src/testing';
import { signatureOf, WEBHOOK_SECRET } from '../support/webhook-posts';

describeProvider({
  downstream: fakeStripeDownstream((fake) => void fake.addPayment({ id: 'pi_1', amount: 100_000, currency: 'eur' })),
  provider: ({ host, port, protocol }) =>
    stripeRefunds({
      connect: (config) => new Stripe('sk_test_1', { ...config, host, port, protocol }),
      sharedAccount: true,
      webhookSecret: WEBHOOK_SECRET,
    }),
  request: () => ({ paymentIntent: 'pi_1', amount: 10, currency: 'eur' }),
  alter: (request) => ({ ...request, amount: request.amount + 1 }),
  pageSize: 100,
  marksReplays: true,
  webhook: ({ externalId, operationId, key }) => {
    const refund = { id: externalId, object: 'refund', amount: 10, currency: 'eur', payment_intent: 'pi_1' };
    const metadata = { op_id: operationId, op_key: key, op_currency: 'eur' };
    const body = JSON.stringify({
      ...{ id: 'evt_1', object: 'event', type: 'refund.created', api_version: '2026-10-28.endive' },
      ...{ created: Math.floor(Date.now() / 1_000), livemode: false, request: { id: 'req_1', idempotency_key: key } },
      data: { object: { ...refund, status: 'succeeded', metadata } },
    });
    return { body, headers: { 'stripe-signature': signatureOf(body) }, nowMs: Date.now() };
  },
});
