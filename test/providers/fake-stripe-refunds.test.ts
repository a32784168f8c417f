// Needs nothing: the fake Stripe and the real SDK, over loopback.
import Stripe from 'stripe';
import { RefundChangeError } from '../../src/testing/fake-stripe/change-refund';
import type { FakeStripe, FakeStripeOptions } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';

const NOON = Date.UTC(2026, 10, 30, 12, 0, 0);

let fake: FakeStripe;
let stripe: Stripe;

async function start(options: FakeStripeOptions = {}): Promise<void> {
  fake = await startFakeStripe({ now: () => NOON, ...options });
  const { host, port, protocol } = fake;
  stripe = new Stripe('sk_test_fake', { host, port, protocol, telemetry: false, maxNetworkRetries: 0 });
}

afterEach(() => fake.close());

/** A request as text, for what the SDK would not send. */
function post(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${fake.url}/v1/refunds`, {
    method: 'POST',
    body,
    headers: {
      Authorization: 'Bearer sk_test_fake',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...headers,
    },
  });
}

async function errorOf(response: Response) {
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  return { status: response.status, ...error };
}

function refusalOf(call: Promise<unknown>) {
  return call.then(
    () => {
      throw new Error('It was not refused.');
    },
    (error: Stripe.errors.StripeError) => error,
  );
}

describe('creating a refund', () => {
  beforeEach(() => start());

  test('a payment is set-up: the SDK retrieves it, and nothing counts it', async () => {
    const { id, charge } = fake.addPayment({ id: 'pi_1043', amount: 5_000, currency: 'usd' });
    const intent = await stripe.paymentIntents.retrieve(id);
    expect(intent).toMatchObject({ id: 'pi_1043', amount: 5_000, currency: 'usd', latest_charge: charge });
    expect(fake.report()).toMatchObject({ effects: [], sends: [], totals: { effects: 0, sends: 0 } });
  });

  test('a payment added again with the same facts stays; with others it is refused', () => {
    const first = fake.addPayment({ id: 'pi_1', amount: 5_000, currency: 'usd' });
    expect(fake.addPayment({ id: 'pi_1', amount: 5_000, currency: 'usd' })).toEqual(first);
    expect(() => fake.addPayment({ id: 'pi_1', amount: 5_001, currency: 'usd' })).toThrow('is there already');
    expect(() => fake.addPayment({ id: 'pi_1', amount: 5_000, currency: 'usd', account: 'acct_b' })).toThrow();
    expect(() => fake.addPayment({ amount: 0.5, currency: 'usd' })).toThrow('amount must be a whole number');
    expect(() => fake.addPayment({ amount: 5, currency: 'USD' })).toThrow('three small letters');
  });

  test('a refund bears what was asked for, and the report shows it with its send', async () => {
    fake.addPayment({ id: 'pi_1', amount: 5_000, currency: 'usd' });
    const refund = await stripe.refunds.create(
      { payment_intent: 'pi_1', amount: 1_500, reason: 'requested_by_customer', metadata: { op_id: 'refund-1-li_1' } },
      { idempotencyKey: 'refund-1-li_1' },
    );
    expect(refund).toMatchObject({
      object: 'refund',
      amount: 1_500,
      currency: 'usd',
      payment_intent: 'pi_1',
      reason: 'requested_by_customer',
      metadata: { op_id: 'refund-1-li_1' },
      status: 'succeeded',
      created: NOON / 1_000,
    });
    expect(refund.id).toMatch(/^re_\w{24}$/);
    expect(refund.lastResponse.requestId).toMatch(/^req_\w{14}$/);
    expect(fake.report()).toEqual({
      effects: [
        {
          id: refund.id,
          account: '',
          amount: 1_500,
          currency: 'usd',
          paymentIntent: 'pi_1',
          status: 'succeeded',
          metadata: { op_id: 'refund-1-li_1' },
          key: 'refund-1-li_1',
          byHand: false,
          at: NOON,
        },
      ],
      sends: [
        {
          requestId: refund.lastResponse.requestId,
          at: NOON,
          account: '',
          key: 'refund-1-li_1',
          body: expect.stringContaining('payment_intent=pi_1'),
          version: '2026-10-28.endive',
          fate: 'executed',
          refund: refund.id,
          status: 200,
          answerLeft: true,
        },
      ],
      totals: { effects: 1, sends: 1 },
    });
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ id: refund.id, amount: 1_500 });
  });

  test('a charge can be named in place of its payment intent', async () => {
    const { charge } = fake.addPayment({ id: 'pi_1', amount: 5_000, currency: 'usd' });
    expect(await stripe.refunds.create({ charge })).toMatchObject({ amount: 5_000, payment_intent: 'pi_1', charge });
  });

  test('form encoding: brackets, percent, plus, unicode and emptiness of metadata arrive as they were', async () => {
    fake.addPayment({ id: 'pi_1', amount: 5_000, currency: 'usd' });
    const metadata = { op_id: 'refund-1~2', 'note & more': '100 % of 1+1=2; "ü" 漢字 😀\n', 'clé.a': '%41[b]' };
    const refund = await stripe.refunds.create({ payment_intent: 'pi_1', metadata: { ...metadata, gone: '' } });
    expect(refund.metadata).toEqual(metadata);
    expect(fake.report().effects[0]?.metadata).toEqual(metadata);
  });

  test('partial refunds go up to the payment, not over it; then it is already refunded', async () => {
    const { charge } = fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'jpy' });
    const whole = await refusalOf(stripe.refunds.create({ payment_intent: 'pi_1', amount: 1_001 }));
    expect(whole).toMatchObject({ statusCode: 400, param: 'amount', type: 'StripeInvalidRequestError' });
    expect(whole.message).toContain('is greater than charge amount');
    await stripe.refunds.create({ payment_intent: 'pi_1', amount: 600 });
    const over = await refusalOf(stripe.refunds.create({ payment_intent: 'pi_1', amount: 401 }));
    expect(over.code).toBeUndefined();
    expect(over.message).toContain('is greater than unrefunded amount on charge');
    expect(await stripe.refunds.create({ payment_intent: 'pi_1' })).toMatchObject({ amount: 400 });
    for (const params of [{ payment_intent: 'pi_1' }, { charge, amount: 1 }]) {
      expect(await refusalOf(stripe.refunds.create(params))).toMatchObject({
        statusCode: 400,
        code: 'charge_already_refunded',
      });
    }
    expect(fake.report().effects.map((effect) => effect.amount)).toEqual([600, 400]);
    expect(fake.report().sends.map((send) => send.fate)).toEqual([
      'refused',
      'executed',
      'refused',
      'executed',
      'refused',
      'refused',
    ]);
  });

  test('two requests at once never both take the last of a payment', async () => {
    fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
    const calls = Array.from({ length: 20 }, (_, n) =>
      stripe.refunds.create({ payment_intent: 'pi_1', amount: 300 }, { idempotencyKey: `key-${n}` }),
    );
    const settled = await Promise.allSettled(calls);
    expect(settled.filter((call) => call.status === 'fulfilled')).toHaveLength(3);
    expect(fake.report().effects).toHaveLength(3);
    expect(fake.report().sends).toHaveLength(20);
  });

  test.each([
    ['no target', 'amount=5', 400, 'parameter_missing'],
    ['two targets', 'payment_intent=pi_1&charge=ch_1', 400, undefined],
    ['an unknown parameter', 'payment_intent=pi_1&amont=5', 400, 'parameter_unknown'],
    ['a currency', 'payment_intent=pi_1&currency=usd', 400, 'parameter_unknown'],
    ['an amount with a fraction', 'payment_intent=pi_1&amount=5.5', 400, 'parameter_invalid_integer'],
    ['an amount in exponents', 'payment_intent=pi_1&amount=1e21', 400, 'parameter_invalid_integer'],
    ['an amount that is no number', 'payment_intent=pi_1&amount=NaN', 400, 'parameter_invalid_integer'],
    ['an amount beyond exact numbers', 'payment_intent=pi_1&amount=9007199254740993', 400, 'parameter_invalid_integer'],
    ['an amount of zero', 'payment_intent=pi_1&amount=0', 400, 'parameter_invalid_integer'],
    ['an amount below zero', 'payment_intent=pi_1&amount=-5', 400, 'parameter_invalid_integer'],
    ['an empty amount', 'payment_intent=pi_1&amount=', 400, 'parameter_invalid_empty'],
    ['an unknown reason', 'payment_intent=pi_1&reason=because', 400, undefined],
    ['metadata that is no map', 'payment_intent=pi_1&metadata=x', 400, undefined],
    ['nested metadata', 'payment_intent=pi_1&metadata[a][b]=x', 400, undefined],
    ['a long metadata key', `payment_intent=pi_1&metadata[${'k'.repeat(41)}]=x`, 400, undefined],
    ['a long metadata value', `payment_intent=pi_1&metadata[k]=${'v'.repeat(501)}`, 400, undefined],
    [
      '51 metadata keys',
      `payment_intent=pi_1${Array.from({ length: 51 }, (_, n) => `&metadata[k${n}]=x`).join('')}`,
      400,
      undefined,
    ],
    ['a broken escape', 'payment_intent=pi_1&metadata[k]=%E4', 400, undefined],
    ['a payment intent that is not there', 'payment_intent=pi_2', 404, 'resource_missing'],
    ['a charge under the name of a payment intent', 'charge=pi_1', 404, 'resource_missing'],
  ])('%s is refused before anything executes', async (_, body, status, code) => {
    fake.addPayment({ id: 'pi_1', amount: 5_000, currency: 'usd' });
    const error = await errorOf(await post(body, { 'Idempotency-Key': 'key-1' }));
    expect(error).toMatchObject({ status, type: 'invalid_request_error', message: expect.any(String) });
    expect(error['code' as keyof typeof error]).toBe(code);
    expect(fake.report()).toMatchObject({ effects: [], sends: [{ fate: 'refused', status, body }] });
  });

  test('a body that is no form is refused', async () => {
    fake.addPayment({ id: 'pi_1', amount: 5_000, currency: 'usd' });
    const response = await post('{"payment_intent":"pi_1"}', { 'Content-Type': 'application/json' });
    expect(response.status).toBe(400);
    expect(fake.report().effects).toEqual([]);
  });

  test('an address that is not served is 404, with a request ID', async () => {
    const response = await fetch(`${fake.url}/v1/customers`, { headers: { Authorization: 'Bearer sk_test_fake' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('Request-Id')).toMatch(/^req_/);
    const odd = await fetch(`${fake.url}/v1/refunds/%E4`, { headers: { Authorization: 'Bearer sk_test_fake' } });
    expect(odd.status).toBe(404);
  });
});

describe('accounts and keys of the API', () => {
  test('without a bearer key, or with another than the one let in, it is 401 and counted as refused', async () => {
    await start({ apiKey: 'sk_test_right' });
    fake.addPayment({ id: 'pi_1', amount: 5_000, currency: 'usd' });
    const none = await post('payment_intent=pi_1', { Authorization: '' });
    expect(await errorOf(none)).toMatchObject({ status: 401, type: 'invalid_request_error' });
    expect(await refusalOf(stripe.refunds.create({ payment_intent: 'pi_1' }))).toMatchObject({
      statusCode: 401,
      type: 'StripeAuthenticationError',
    });
    expect(fake.report()).toMatchObject({
      effects: [],
      sends: [
        { fate: 'refused', status: 401 },
        { fate: 'refused', status: 401 },
      ],
    });
  });

  test("an account sees its own data only: what is another's does not exist", async () => {
    await start();
    fake.addPayment({ id: 'pi_a', amount: 5_000, currency: 'usd', account: 'acct_a' });
    const asA = { stripeAccount: 'acct_a' };
    const refund = await stripe.refunds.create({ payment_intent: 'pi_a' }, asA);
    for (const options of [{}, { stripeAccount: 'acct_b' }]) {
      const missing = { statusCode: 404, code: 'resource_missing' };
      expect(await refusalOf(stripe.refunds.create({ payment_intent: 'pi_a' }, options))).toMatchObject(missing);
      expect(await refusalOf(stripe.paymentIntents.retrieve('pi_a', {}, options))).toMatchObject(missing);
      expect(await refusalOf(stripe.refunds.retrieve(refund.id, {}, options))).toMatchObject(missing);
      expect(await refusalOf(stripe.refunds.list({ payment_intent: 'pi_a' }, options))).toMatchObject(missing);
      expect((await stripe.refunds.list({}, options)).data).toEqual([]);
      expect((await stripe.events.list({}, options)).data).toEqual([]);
    }
    expect((await stripe.refunds.list({ payment_intent: 'pi_a' }, asA)).data).toHaveLength(1);
    expect(fake.report().effects).toMatchObject([{ account: 'acct_a' }]);
    expect(fake.report().sends.map((send) => send.account)).toEqual(['acct_a', '', 'acct_b']);
  });

  test("a list for another account's payment can be made empty: the harsher answer", async () => {
    await start({ unknownTargetLists: 'empty' });
    fake.addPayment({ id: 'pi_a', amount: 5_000, currency: 'usd', account: 'acct_a' });
    expect((await stripe.refunds.list({ payment_intent: 'pi_a' })).data).toEqual([]);
  });

  test('account, version and key of the request come back with the answer', async () => {
    await start();
    fake.addPayment({ id: 'pi_a', amount: 5_000, currency: 'usd', account: 'acct_a' });
    const headers = { 'Stripe-Account': 'acct_a', 'Stripe-Version': '2026-10-28.endive', 'Idempotency-Key': 'key-1' };
    const response = await post('payment_intent=pi_a', headers);
    expect(response.status).toBe(200);
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toBe(value);
  });
});

describe('listing refunds', () => {
  beforeEach(() => start());

  async function makeRefunds(count: number): Promise<string[]> {
    fake.addPayment({ id: 'pi_1', amount: 100_000, currency: 'usd' });
    fake.addPayment({ id: 'pi_2', amount: 100_000, currency: 'usd' });
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      ids.push((await stripe.refunds.create({ payment_intent: 'pi_1', amount: 10 })).id);
      fake.advanceClock(1_000);
    }
    await stripe.refunds.create({ payment_intent: 'pi_2', amount: 10 });
    return ids.reverse();
  }

  test('a page has ten by default, newest first; the SDK walks through all', async () => {
    const ids = await makeRefunds(23);
    const first = await stripe.refunds.list({ payment_intent: 'pi_1' });
    expect(first.has_more).toBe(true);
    expect(first.data.map((refund) => refund.id)).toEqual(ids.slice(0, 10));
    const all: string[] = [];
    for await (const refund of stripe.refunds.list({ payment_intent: 'pi_1' })) all.push(refund.id);
    expect(all).toEqual(ids);
  });

  test('pages of one lose nothing and repeat nothing, also when a refund is made meanwhile', async () => {
    const ids = await makeRefunds(5);
    const seen: string[] = [];
    for await (const refund of stripe.refunds.list({ payment_intent: 'pi_1', limit: 1 })) {
      if (seen.length === 2) fake.refundByHand({ payment: 'pi_1', amount: 1 });
      seen.push(refund.id);
    }
    expect(seen).toEqual(ids);
  });

  test('the last page says that there is no more, also when it is full', async () => {
    const ids = await makeRefunds(4);
    const page = await stripe.refunds.list({ payment_intent: 'pi_1', limit: 2, starting_after: ids[1] ?? '' });
    expect(page.data.map((refund) => refund.id)).toEqual(ids.slice(2));
    expect(page.has_more).toBe(false);
  });

  test('ending_before gives the page next to the cursor, newest first', async () => {
    const ids = await makeRefunds(5);
    const page = await stripe.refunds.list({ payment_intent: 'pi_1', limit: 2, ending_before: ids[4] ?? '' });
    expect(page.data.map((refund) => refund.id)).toEqual([ids[2], ids[3]]);
    expect(page.has_more).toBe(true);
  });

  test('charge and created narrow the list', async () => {
    const ids = await makeRefunds(5);
    const created = NOON / 1_000;
    const list = async (params: Stripe.RefundListParams) =>
      (await stripe.refunds.list(params)).data.map((refund) => refund.id);
    const { latest_charge } = await stripe.paymentIntents.retrieve('pi_1');
    expect(await list({ charge: String(latest_charge) })).toEqual(ids);
    expect(await list({ payment_intent: 'pi_1', created: { gte: created + 1, lt: created + 3 } })).toEqual([
      ids[2],
      ids[3],
    ]);
    expect(await list({ payment_intent: 'pi_1', created: { gt: created + 1, lte: created + 3 } })).toEqual([
      ids[1],
      ids[2],
    ]);
    expect(await list({ payment_intent: 'pi_1', created })).toEqual([ids[4]]);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'starting_after=re_none',
    'starting_after=re_a&ending_before=re_b',
    'payment_intents=pi_1',
    'metadata[op_id]=x',
  ])('a list with %s is refused', async (search) => {
    await makeRefunds(1);
    const response = await fetch(`${fake.url}/v1/refunds?${search}`, {
      headers: { Authorization: 'Bearer sk_test_a' },
    });
    expect(await errorOf(response)).toMatchObject({ status: 400, type: 'invalid_request_error' });
  });
});

describe('what a refund becomes', () => {
  beforeEach(async () => {
    await start();
    fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
  });

  test('the next refunds are what was planned, then they succeed again', async () => {
    fake.nextRefunds({ status: 'pending', count: 2, reason: 'insufficient_funds' });
    fake.nextRefunds({ status: 'requires_action' });
    const make = () => stripe.refunds.create({ payment_intent: 'pi_1', amount: 100 });
    expect(await make()).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' });
    expect(await make()).toMatchObject({ status: 'pending' });
    expect(await make()).toMatchObject({ status: 'requires_action', next_action: { type: 'display_details' } });
    expect(await make()).toMatchObject({ status: 'succeeded' });
  });

  test('a refused request uses up no plan', async () => {
    fake.nextRefunds({ status: 'pending' });
    await refusalOf(stripe.refunds.create({ payment_intent: 'pi_1', amount: 1_001 }));
    expect(await stripe.refunds.create({ payment_intent: 'pi_1' })).toMatchObject({ status: 'pending' });
  });

  test.each(['failed', 'canceled'] as const)(
    'a refund that is %s from the start keeps nothing of the payment',
    async (status) => {
      fake.nextRefunds({ status });
      expect(await stripe.refunds.create({ payment_intent: 'pi_1' })).toMatchObject({ status });
      expect(await stripe.refunds.create({ payment_intent: 'pi_1' })).toMatchObject({ status: 'succeeded' });
      expect(fake.report().effects).toMatchObject([{ status }, { status: 'succeeded' }]);
    },
  );

  test('a pending refund keeps its amount; failed later, it gives it back and stays counted', async () => {
    fake.nextRefunds({ status: 'pending' });
    const { id } = await stripe.refunds.create({ payment_intent: 'pi_1' });
    expect(await refusalOf(stripe.refunds.create({ payment_intent: 'pi_1' }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    fake.settle(id, 'failed', 'declined');
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'failed', failure_reason: 'declined' });
    await stripe.refunds.create({ payment_intent: 'pi_1' });
    expect(fake.report().effects).toHaveLength(2);
  });

  test('a succeeded refund can fail later; nothing follows a failed one', async () => {
    const { id } = await stripe.refunds.create({ payment_intent: 'pi_1' });
    fake.settle(id, 'failed');
    expect(() => fake.settle(id, 'succeeded')).toThrow('cannot become succeeded');
    expect(() => fake.settle('re_none', 'succeeded')).toThrow(RefundChangeError);
  });

  test('a refund by hand is an effect without a send, and the API respects it', async () => {
    const id = fake.refundByHand({ payment: 'pi_1', amount: 400, metadata: { note: 'by phone' } });
    expect(fake.report()).toMatchObject({
      effects: [{ id, amount: 400, byHand: true, key: null, metadata: { note: 'by phone' } }],
      sends: [],
    });
    expect(await stripe.refunds.create({ payment_intent: 'pi_1' })).toMatchObject({ amount: 600 });
    expect(() => fake.refundByHand({ payment: 'pi_1' })).toThrow('has already been refunded');
    expect(() => fake.refundByHand({ payment: 'pi_none' })).toThrow('no payment');
    expect(() => fake.refundByHand({ payment: 'pi_1', amount: 0.5 })).toThrow('whole number');
  });

  test('a run counts from where it starts; the totals go on', async () => {
    await stripe.refunds.create({ payment_intent: 'pi_1', amount: 1 });
    fake.startRun();
    await stripe.refunds.create({ payment_intent: 'pi_1', amount: 2 });
    expect(fake.report()).toMatchObject({ effects: [{ amount: 2 }], totals: { effects: 2, sends: 2 } });
    expect(fake.report().sends).toHaveLength(1);
    expect(fake.report('all').effects).toHaveLength(2);
  });
});
