// Needs nothing: the fake Stripe and the real SDK, over loopback.
import Stripe from 'stripe';
import type { FakeStripe, FakeStripeOptions } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';

const NOON = Date.UTC(2026, 10, 30, 12, 0, 0);
const DAY_MS = 86_400_000;

let fake: FakeStripe;
let stripe: Stripe;

async function start(options: FakeStripeOptions = {}): Promise<void> {
  fake = await startFakeStripe({ now: () => NOON, ...options });
  const { host, port, protocol } = fake;
  stripe = new Stripe('sk_test_fake', { host, port, protocol, telemetry: false, maxNetworkRetries: 0 });
  fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
}

beforeEach(() => start());
afterEach(() => fake.close());

async function post(key: string | null, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${fake.url}/v1/refunds`, {
    method: 'POST',
    body,
    headers: {
      Authorization: 'Bearer sk_test_fake',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(key !== null && { 'Idempotency-Key': key }),
      ...headers,
    },
  });
  const text = await response.text();
  const replayed = response.headers.get('Idempotent-Replayed');
  return { status: response.status, text, replayed, headers: response.headers };
}

const fates = () => fake.report().sends.map((send) => send.fate);
const effects = () => fake.report().effects.length;

test('the same key again gets the first answer byte for byte, marked as replayed, under its own request ID', async () => {
  const first = await post('key-1', 'payment_intent=pi_1&amount=100');
  const again = await post('key-1', 'payment_intent=pi_1&amount=100');
  expect(again.text).toBe(first.text);
  expect([first.replayed, again.replayed]).toEqual([null, 'true']);
  expect(again.headers.get('Request-Id')).not.toBe(first.headers.get('Request-Id'));
  expect(again.headers.get('Original-Request')).toBe(first.headers.get('Request-Id'));
  expect(fates()).toEqual(['executed', 'replayed']);
  expect(effects()).toBe(1);
});

test('the SDK sees the replay flag', async () => {
  const send = () => stripe.refunds.create({ payment_intent: 'pi_1', amount: 100 }, { idempotencyKey: 'key-1' });
  const [first, again] = [await send(), await send()];
  expect(again.id).toBe(first.id);
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
});

test('a replay is a stored copy: it shows the status of then, not of now', async () => {
  fake.nextRefunds({ status: 'pending' });
  const send = () => stripe.refunds.create({ payment_intent: 'pi_1', amount: 100 }, { idempotencyKey: 'key-1' });
  const { id } = await send();
  fake.settle(id, 'failed');
  expect(await send()).toMatchObject({ id, status: 'pending' });
  expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'failed' });
});

test('without a key every request executes', async () => {
  await post(null, 'payment_intent=pi_1&amount=100');
  await post(null, 'payment_intent=pi_1&amount=100');
  await post('', 'payment_intent=pi_1&amount=100');
  expect(effects()).toBe(3);
});

test('the order and the encoding of the fields make no other request', async () => {
  const first = await post('key-1', 'payment_intent=pi_1&amount=100&metadata[a]=x+y&metadata[b]=2');
  const again = await post('key-1', 'metadata%5Bb%5D=2&metadata%5Ba%5D=x%20y&amount=100&payment_intent=pi_1');
  expect([again.text, again.replayed]).toEqual([first.text, 'true']);
});

test.each([
  'payment_intent=pi_1&amount=101',
  'payment_intent=pi_1',
  'payment_intent=pi_2&amount=100',
  'payment_intent=pi_1&amount=100&metadata[a]=1',
  'payment_intent=pi_1&amount=100&reason=duplicate',
])('the key with other parameters (%s) is an idempotency error, and nothing executes', async (body) => {
  fake.addPayment({ id: 'pi_2', amount: 1_000, currency: 'usd' });
  const first = await post('key-1', 'payment_intent=pi_1&amount=100');
  const other = await post('key-1', body);
  expect(other).toMatchObject({ status: 400, replayed: null });
  expect(JSON.parse(other.text)).toMatchObject({ error: { type: 'idempotency_error' } });
  expect(fates()).toEqual(['executed', 'mismatch']);
  expect((await post('key-1', 'payment_intent=pi_1&amount=100')).text).toBe(first.text);
  expect(effects()).toBe(1);
});

test('the SDK makes a StripeIdempotencyError of it', async () => {
  await stripe.refunds.create({ payment_intent: 'pi_1', amount: 100 }, { idempotencyKey: 'key-1' });
  const other = stripe.refunds.create({ payment_intent: 'pi_1', amount: 200 }, { idempotencyKey: 'key-1' });
  await expect(other).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
    message: expect.stringContaining('Keys for idempotent requests can only be used with the same parameters'),
  });
});

test('two requests of one key at once: one executes, the other is told 409', async () => {
  await fake.close();
  await start({ executionMs: 50 });
  const answers = await Promise.all([1, 2].map(() => post('key-1', 'payment_intent=pi_1&amount=100')));
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
  const conflict = answers.find((answer) => answer.status === 409);
  expect(JSON.parse(conflict?.text ?? '')).toMatchObject({ error: { code: 'idempotency_key_in_use' } });
  expect(fates().sort()).toEqual(['conflict', 'executed']);
  expect(effects()).toBe(1);
  expect(await post('key-1', 'payment_intent=pi_1&amount=100')).toMatchObject({ status: 200, replayed: 'true' });
});

test('fifty requests of one key at once make one refund', async () => {
  await fake.close();
  await start({ executionMs: 5 });
  const answers = await Promise.all(Array.from({ length: 50 }, () => post('key-1', 'payment_intent=pi_1&amount=10')));
  expect(effects()).toBe(1);
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 409]));
});

test('a key in use by a request with other parameters is an idempotency error', async () => {
  const armed = fake.arm({ route: 'create', kind: 'hold-execution' });
  const first = post('key-1', 'payment_intent=pi_1&amount=100');
  await armed.firstHit;
  expect((await post('key-1', 'payment_intent=pi_1&amount=200')).status).toBe(400);
  armed.release();
  expect((await first).status).toBe(200);
  expect(fates()).toEqual(['executed', 'mismatch']);
});

test('the SDK with its own retries waits a 409 out and gets the one refund', async () => {
  const armed = fake.arm({ route: 'create', kind: 'hold-execution' });
  const first = post('key-1', 'payment_intent=pi_1&amount=100');
  await armed.firstHit;
  const { host, port, protocol } = fake;
  const retrying = new Stripe('sk_test_fake', { host, port, protocol, telemetry: false });
  const second = retrying.refunds.create({ payment_intent: 'pi_1', amount: 100 }, { idempotencyKey: 'key-1' });
  fake.onEvent((happening) => {
    if (happening.kind === 'send-decided' && happening.fate === 'conflict') armed.release();
  });
  expect((await second).id).toBe(JSON.parse((await first).text).id);
  expect(fates()).toEqual(['executed', 'conflict', 'replayed']);
});

test('accounts do not share keys', async () => {
  fake.addPayment({ id: 'pi_a', amount: 1_000, currency: 'usd', account: 'acct_a' });
  await post('key-1', 'payment_intent=pi_1&amount=100');
  const other = await post('key-1', 'payment_intent=pi_a&amount=100', { 'Stripe-Account': 'acct_a' });
  expect(other).toMatchObject({ status: 200, replayed: null });
  expect(effects()).toBe(2);
});

test('a key in use in one account is free in another', async () => {
  fake.addPayment({ id: 'pi_a', amount: 1_000, currency: 'usd', account: 'acct_a' });
  const armed = fake.arm({ route: 'create', kind: 'hold-execution' });
  const first = post('key-1', 'payment_intent=pi_1&amount=100');
  await armed.firstHit;
  const other = await post('key-1', 'payment_intent=pi_a&amount=100', { 'Stripe-Account': 'acct_a' });
  expect(other).toMatchObject({ status: 200, replayed: null });
  armed.release();
  expect((await first).status).toBe(200);
});

test('a key of 255 characters is taken, a longer one is refused', async () => {
  expect((await post('k'.repeat(255), 'payment_intent=pi_1&amount=1')).status).toBe(200);
  expect((await post('k'.repeat(256), 'payment_intent=pi_1&amount=1')).status).toBe(400);
  expect(effects()).toBe(1);
});

describe('the age of a key', () => {
  test('up to 24 hours after its first use it replays; from then on the same key makes a second refund', async () => {
    const first = await post('key-1', 'payment_intent=pi_1&amount=100');
    fake.advanceClock(DAY_MS - 1);
    expect((await post('key-1', 'payment_intent=pi_1&amount=100')).text).toBe(first.text);
    fake.advanceClock(1);
    const late = await post('key-1', 'payment_intent=pi_1&amount=100');
    expect(late).toMatchObject({ status: 200, replayed: null });
    expect(JSON.parse(late.text).id).not.toBe(JSON.parse(first.text).id);
    expect(effects()).toBe(2);
  });

  test('a replay does not make it younger, and the second life counts from its own first use', async () => {
    await post('key-1', 'payment_intent=pi_1&amount=100');
    fake.advanceClock(DAY_MS - 1);
    await post('key-1', 'payment_intent=pi_1&amount=100');
    fake.advanceClock(2);
    await post('key-1', 'payment_intent=pi_1&amount=100');
    fake.advanceClock(DAY_MS - 1);
    await post('key-1', 'payment_intent=pi_1&amount=100');
    expect(fates()).toEqual(['executed', 'replayed', 'executed', 'replayed']);
  });

  test('it counts from when the first request began, not from when it was answered', async () => {
    const armed = fake.arm({ route: 'create', kind: 'hold-execution' });
    const first = post('key-1', 'payment_intent=pi_1&amount=100');
    await armed.firstHit;
    fake.advanceClock(DAY_MS);
    armed.release();
    await first;
    await post('key-1', 'payment_intent=pi_1&amount=100');
    expect(fates()).toEqual(['executed', 'executed']);
  });

  test('a key in use stays in use, however old it gets', async () => {
    const armed = fake.arm({ route: 'create', kind: 'hold-execution' });
    const first = post('key-1', 'payment_intent=pi_1&amount=100');
    await armed.firstHit;
    fake.advanceClock(2 * DAY_MS);
    expect((await post('key-1', 'payment_intent=pi_1&amount=100')).status).toBe(409);
    armed.release();
    await first;
    expect(effects()).toBe(1);
  });

  test('after it, other parameters are no error any more', async () => {
    await post('key-1', 'payment_intent=pi_1&amount=100');
    fake.advanceClock(DAY_MS);
    expect((await post('key-1', 'payment_intent=pi_1&amount=200')).status).toBe(200);
  });
});

describe('which answers are stored with the key', () => {
  test.each([
    ['a validation error', 'payment_intent=pi_1&amount=0', {}],
    ['an unknown parameter', 'payment_intent=pi_1&foo=1', {}],
    ['a payment intent that is not there', 'payment_intent=pi_9', {}],
    ['a missing API key', 'payment_intent=pi_1&amount=100', { Authorization: '' }],
  ])('%s is not: the key is free afterwards', async (_, body, headers) => {
    expect((await post('key-1', body, headers)).status).toBeGreaterThanOrEqual(400);
    expect(await post('key-1', 'payment_intent=pi_1&amount=100')).toMatchObject({ status: 200, replayed: null });
  });

  test('a missing API key is 401 even where the key has a stored answer', async () => {
    await post('key-1', 'payment_intent=pi_1&amount=100');
    expect((await post('key-1', 'payment_intent=pi_1&amount=100', { Authorization: '' })).status).toBe(401);
  });

  test('a 409 is not: the key answers with the first request’s result afterwards', async () => {
    const armed = fake.arm({ route: 'create', kind: 'hold-execution' });
    const first = post('key-1', 'payment_intent=pi_1&amount=100');
    await armed.firstHit;
    expect((await post('key-1', 'payment_intent=pi_1&amount=100')).status).toBe(409);
    armed.release();
    expect((await post('key-1', 'payment_intent=pi_1&amount=100')).text).toBe((await first).text);
  });

  test('a refusal of the business is: it is replayed even when the payment could bear the refund again', async () => {
    fake.nextRefunds({ status: 'pending' });
    const { id } = await stripe.refunds.create({ payment_intent: 'pi_1' });
    const over = await post('key-1', 'payment_intent=pi_1&amount=100');
    fake.settle(id, 'failed');
    expect(await post('key-1', 'payment_intent=pi_1&amount=100')).toMatchObject({
      status: 400,
      text: over.text,
      replayed: 'true',
    });
    expect(effects()).toBe(1);
  });

  test('with storesRefusals off it is not: the same key can make the refund later', async () => {
    await fake.close();
    await start({ storesRefusals: false });
    const id = fake.refundByHand({ payment: 'pi_1' });
    expect((await post('key-1', 'payment_intent=pi_1&amount=100')).status).toBe(400);
    fake.settle(id, 'failed');
    expect(await post('key-1', 'payment_intent=pi_1&amount=100')).toMatchObject({ status: 200, replayed: null });
  });

  test.each([true, false])(
    'a 500 is, with the refund made (%s) or not: it never becomes another answer',
    async (effect) => {
      fake.arm({ route: 'create', kind: 'server-error', effect });
      const first = await post('key-1', 'payment_intent=pi_1&amount=100');
      expect(first.status).toBe(500);
      const again = await post('key-1', 'payment_intent=pi_1&amount=100');
      expect(again).toMatchObject({ status: 500, text: first.text, replayed: 'true' });
      expect(effects()).toBe(effect ? 1 : 0);
      expect(fates()).toEqual([effect ? 'executed' : 'error', 'replayed']);
      fake.advanceClock(DAY_MS);
      expect((await post('key-1', 'payment_intent=pi_1&amount=100')).status).toBe(200);
    },
  );
});
