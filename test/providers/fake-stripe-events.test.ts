// Needs nothing: the fake Stripe and the real SDK, over loopback.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import type { FakeStripe, FakeStripeOptions } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import { WebhookCommandError } from '../../src/testing/fake-stripe/webhooks';

const NOON = Date.UTC(2026, 10, 30, 12, 0, 0);
const SECRET = 'whsec_right';
const DAY_MS = 86_400_000;

let fake: FakeStripe;
let stripe: Stripe;

async function start(options: FakeStripeOptions = {}): Promise<void> {
  fake = await startFakeStripe({ now: () => NOON, ...options });
  const { host, port, protocol } = fake;
  stripe = new Stripe('sk_test_fake', { host, port, protocol, telemetry: false, maxNetworkRetries: 0 });
  fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
}

afterEach(() => fake.close());

const types = async (params: Stripe.EventListParams = {}) =>
  (await stripe.events.list(params)).data.map((event) => event.type);

const refund = (amount: number, key: string) =>
  stripe.refunds.create({ payment_intent: 'pi_1', amount, metadata: { op_id: key } }, { idempotencyKey: key });

describe('events', () => {
  beforeEach(() => start());

  test('a refund of the API makes events that name its request and its key', async () => {
    const made = await refund(400, 'key-1');
    const { data } = await stripe.events.list();
    expect(data.map((event) => event.type)).toEqual(['charge.refunded', 'refund.created']);
    for (const event of data) {
      expect(event.request).toEqual({ id: made.lastResponse.requestId, idempotency_key: 'key-1' });
    }
    expect(data[1]?.data.object).toMatchObject({ id: made.id, object: 'refund', metadata: { op_id: 'key-1' } });
    expect(data[0]?.data.object).toMatchObject({ object: 'charge', amount_refunded: 400, refunded: false });
    expect(await stripe.events.retrieve(String(data[1]?.id))).toMatchObject({ type: 'refund.created' });
  });

  test('a replay makes no event', async () => {
    await refund(400, 'key-1');
    await refund(400, 'key-1');
    expect(await types()).toHaveLength(2);
  });

  test('a refund by hand makes events without a key', async () => {
    fake.refundByHand({ payment: 'pi_1' });
    const { data } = await stripe.events.list();
    expect(data.map((event) => event.request?.idempotency_key)).toEqual([null, null]);
    expect(data[0]?.data.object).toMatchObject({ amount_refunded: 1_000, refunded: true });
  });

  test('a change makes refund.updated with what was before, and refund.failed where it failed; the old event keeps its object', async () => {
    fake.nextRefunds({ status: 'pending' });
    const { id } = await refund(400, 'key-1');
    fake.settle(id, 'succeeded');
    fake.settle(id, 'failed', 'lost_or_stolen_card');
    const { data } = await stripe.events.list();
    expect(data.map((event) => event.type)).toEqual([
      'refund.failed',
      'charge.refund.updated',
      'refund.updated',
      'charge.refund.updated',
      'refund.updated',
      'charge.refunded',
      'refund.created',
    ]);
    expect(data[0]).toMatchObject({
      request: { id: null, idempotency_key: null },
      data: { object: { status: 'failed', failure_reason: 'lost_or_stolen_card' } },
    });
    expect(data[2]?.data.previous_attributes).toEqual({ status: 'succeeded' });
    expect(data[6]?.data.object).toMatchObject({ status: 'pending' });
  });

  test('a refund that failed from the start makes refund.created and refund.failed', async () => {
    fake.nextRefunds({ status: 'failed' });
    await refund(400, 'key-1');
    expect(await types()).toEqual(['refund.failed', 'refund.created']);
  });

  test('type (with its asterisk), types and created narrow the list; type and types exclude each other', async () => {
    const { id } = await refund(400, 'key-1');
    fake.advanceClock(10_000);
    fake.settle(id, 'failed');
    expect(await types({ type: 'refund.created' })).toEqual(['refund.created']);
    expect(await types({ type: 'refund.*' })).toEqual(['refund.failed', 'refund.updated', 'refund.created']);
    expect(await types({ types: ['refund.failed', 'charge.refunded'] })).toEqual(['refund.failed', 'charge.refunded']);
    expect(await types({ created: { lte: NOON / 1_000 } })).toEqual(['charge.refunded', 'refund.created']);
    await expect(types({ type: 'refund.failed', types: ['refund.failed'] })).rejects.toMatchObject({ statusCode: 400 });
  });

  test('pages of one walk through all', async () => {
    for (let n = 0; n < 4; n++) await refund(10, `key-${n}`);
    const keys: (string | null | undefined)[] = [];
    for await (const event of stripe.events.list({ type: 'refund.created', limit: 1 })) {
      keys.push(event.request?.idempotency_key);
    }
    expect(keys).toEqual(['key-3', 'key-2', 'key-1', 'key-0']);
  });

  test('events are there for 30 days, refunds for ever', async () => {
    const { id } = await refund(400, 'key-1');
    const event = (await stripe.events.list({ type: 'refund.created' })).data[0];
    fake.advanceClock(30 * DAY_MS);
    expect(await types()).toHaveLength(2);
    fake.advanceClock(1);
    expect(await types()).toEqual([]);
    await expect(stripe.events.retrieve(String(event?.id))).rejects.toMatchObject({ statusCode: 404 });
    expect((await stripe.refunds.list({ payment_intent: 'pi_1' })).data.map((found) => found.id)).toEqual([id]);
  });
});

describe('lag', () => {
  beforeEach(() => start());

  test('list, events and retrieve show a refund only that long after it was made', async () => {
    fake.setLag({ list: 5_000, events: 10_000, retrieve: 2_000 });
    const { id } = await refund(400, 'key-1');
    const seen = async () => [
      await stripe.refunds.retrieve(id).then(
        () => true,
        (error: { statusCode: number }) => error.statusCode !== 404,
      ),
      (await stripe.refunds.list({ payment_intent: 'pi_1' })).data.length > 0,
      (await types()).length > 0,
    ];
    expect(await seen()).toEqual([false, false, false]);
    fake.advanceClock(1_999);
    expect(await seen()).toEqual([false, false, false]);
    fake.advanceClock(1);
    expect(await seen()).toEqual([true, false, false]);
    fake.advanceClock(3_000);
    expect(await seen()).toEqual([true, true, false]);
    fake.advanceClock(5_000);
    expect(await seen()).toEqual([true, true, true]);
  });

  test('a change is seen late, too: until then the old status is shown', async () => {
    fake.nextRefunds({ status: 'pending' });
    const { id } = await refund(400, 'key-1');
    fake.setLag({ list: 1_000 });
    fake.advanceClock(5_000);
    fake.settle(id, 'succeeded');
    const listed = async () => (await stripe.refunds.list()).data[0]?.status;
    expect([await listed(), (await stripe.refunds.retrieve(id)).status]).toEqual(['pending', 'succeeded']);
    fake.advanceClock(1_000);
    expect(await listed()).toBe('succeeded');
  });

  test('lag hides nothing from the endpoint itself: the payment counts what is not listed yet', async () => {
    fake.setLag({ list: 5_000, events: 5_000, retrieve: 5_000 });
    await refund(1_000, 'key-1');
    await expect(refund(1, 'key-2')).rejects.toMatchObject({ code: 'charge_already_refunded' });
    expect(fake.report().effects).toHaveLength(1);
  });

  test('what is left out of setLag becomes zero, and nonsense is refused', async () => {
    fake.setLag({ list: 5_000 });
    fake.setLag({});
    await refund(400, 'key-1');
    expect((await stripe.refunds.list()).data).toHaveLength(1);
    expect(() => fake.setLag({ list: Number.NaN })).toThrow('list must be a whole number');
  });
});

describe('webhooks', () => {
  let received: { body: string; signature: string }[];
  let receiver: Server;
  let status: number;

  beforeEach(async () => {
    received = [];
    status = 200;
    receiver = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        received.push({
          body: Buffer.concat(chunks).toString('utf8'),
          signature: String(incoming.headers['stripe-signature']),
        });
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    await start({ webhook: { url: `http://127.0.0.1:${port}/hooks`, secret: SECRET } });
  });

  afterEach(() => new Promise((resolve) => receiver.close(resolve)));

  /** Verifies as a receiver at the fake's noon would. */
  const verified = (at = 0, secret = SECRET) => {
    const { body, signature } = received[at] ?? { body: '', signature: '' };
    return Stripe.webhooks.constructEvent(body, signature, secret, 300, undefined, NOON);
  };
  const receivedTypes = () => received.map(({ body }) => JSON.parse(body).type);

  test('every event is posted in its order, signed so that the SDK verifies it', async () => {
    const made = await refund(400, 'key-1');
    await fake.webhooks.settled();
    expect(receivedTypes()).toEqual(['refund.created', 'charge.refunded']);
    const event = verified();
    expect(event).toMatchObject({
      type: 'refund.created',
      request: { idempotency_key: 'key-1' },
      data: { object: { id: made.id } },
    });
    expect(event.id).toBe((await stripe.events.list({ type: 'refund.created' })).data[0]?.id);
    expect(() => verified(0, 'whsec_other')).toThrow(Stripe.errors.StripeSignatureVerificationError);
  });

  test("an event of a connected account names it, an own one doesn't", async () => {
    fake.addPayment({ id: 'pi_a', amount: 1_000, currency: 'usd', account: 'acct_a' });
    fake.refundByHand({ payment: 'pi_a' });
    fake.refundByHand({ payment: 'pi_1' });
    await fake.webhooks.settled();
    expect(received.map(({ body }) => JSON.parse(body).account)).toEqual(['acct_a', 'acct_a', undefined, undefined]);
  });

  test('held webhooks are sent by command, in reverse where asked', async () => {
    fake.webhooks.hold();
    const { id } = await refund(400, 'key-1');
    fake.settle(id, 'failed');
    await fake.webhooks.settled();
    expect([received.length, fake.webhooks.held]).toEqual([0, 5]);
    await fake.webhooks.sendHeld({ reverse: true });
    expect(receivedTypes()).toEqual([
      'refund.failed',
      'charge.refund.updated',
      'refund.updated',
      'charge.refunded',
      'refund.created',
    ]);
    fake.refundByHand({ payment: 'pi_1', amount: 1 });
    expect(fake.webhooks.held).toBe(2);
    await fake.webhooks.resume();
    expect(received).toHaveLength(7);
    fake.refundByHand({ payment: 'pi_1', amount: 1 });
    await fake.webhooks.settled();
    expect(received).toHaveLength(9);
  });

  test('an event is sent again on command, with another secret or moment if asked', async () => {
    await refund(400, 'key-1');
    const event = (await stripe.events.list({ type: 'refund.created' })).data[0];
    const id = String(event?.id);
    await fake.webhooks.settled();
    received.length = 0;
    expect(await fake.webhooks.send(id)).toEqual({ eventId: id, type: 'refund.created', status: 200, error: null });
    await fake.webhooks.send(id, { secret: 'whsec_wrong' });
    await fake.webhooks.send(id, { timestamp: NOON / 1_000 - 301 });
    await fake.webhooks.send(id, { timestamp: NOON / 1_000 + 86_400 });
    expect(verified(0).id).toBe(id);
    expect(() => verified(1)).toThrow('signature');
    expect(() => verified(2)).toThrow('tolerance');
    expect(verified(3).id).toBe(id);
    await expect(fake.webhooks.send('evt_none')).rejects.toThrow('There is no event');
  });

  test('a clock of its own dates the signatures, however far the fake’s is moved', async () => {
    await fake.close();
    const { port } = receiver.address() as AddressInfo;
    await start({ webhook: { url: `http://127.0.0.1:${port}/hooks`, secret: SECRET, now: () => NOON } });
    fake.advanceClock(DAY_MS);
    await refund(400, 'key-1');
    await fake.webhooks.settled();
    expect(verified().created).toBe((NOON + DAY_MS) / 1_000);
    expect(received[0]?.signature).toMatch(new RegExp(`^t=${NOON / 1_000},`));
  });

  test('a receiver that refuses or is gone costs no refund; the event can be sent later', async () => {
    status = 500;
    const told: unknown[] = [];
    fake.onEvent((happening) => happening.kind === 'webhook-sent' && told.push(happening.delivery));
    await refund(400, 'key-1');
    await fake.webhooks.settled();
    await new Promise((resolve) => receiver.close(resolve));
    await refund(400, 'key-2');
    await fake.webhooks.settled();
    expect(told).toMatchObject([
      { status: 500, error: null },
      { status: 500, error: null },
      { status: null, error: expect.stringContaining('ECONNREFUSED') },
      { status: null, error: expect.stringContaining('ECONNREFUSED') },
    ]);
    expect(fake.report().effects).toHaveLength(2);
  });

  test('closing does not wait for a receiver that never answers', async () => {
    receiver.removeAllListeners('request');
    const arrived = new Promise((resolve) => receiver.once('request', resolve));
    await refund(400, 'key-1');
    await arrived;
    await fake.close();
    receiver.closeAllConnections();
  });
});

test('without a target nothing is posted, and a command to post is refused', async () => {
  await start();
  fake.webhooks.hold();
  await refund(400, 'key-1');
  expect(fake.webhooks.held).toBe(0);
  const event = (await stripe.events.list()).data[0];
  await expect(fake.webhooks.send(String(event?.id))).rejects.toThrow(WebhookCommandError);
});
