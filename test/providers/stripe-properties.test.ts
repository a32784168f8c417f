// Needs nothing but a local port: the fake Stripe.
import fc from 'fast-check';
import Stripe from 'stripe';
import type { Evidence } from '../../src/operations/evidence';
import type { Outcome } from '../../src/operations/outcome';
import type { WebhookNews } from '../../src/providers/provider';
import { type StripeRefundRequest, stripeRefunds } from '../../src/providers/stripe';
import { expectedRefund } from '../../src/providers/stripe/expected-refund';
import { foundEffect } from '../../src/providers/stripe/found-effect';
import { readRefund } from '../../src/providers/stripe/refund-object';
import { refundOutcome } from '../../src/providers/stripe/refund-outcome';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import { PROPERTY_MS, runs } from '../support/property-runs';
import { signatureOf, WEBHOOK_SECRET } from '../support/webhook-posts';

const NOON_S = Date.UTC(2026, 10, 30, 12) / 1_000;
const SECRET_KEY = 'sk_test_canary1';

const provider = stripeRefunds({
  connect: (config) => new Stripe(SECRET_KEY, config),
  webhookSecret: WEBHOOK_SECRET,
});

/** Currencies without a minor unit, with two decimals, with three, and those that Stripe counts in hundreds. */
const CURRENCIES = ['jpy', 'krw', 'vnd', 'eur', 'usd', 'twd', 'kwd', 'bhd', 'jod', 'isk', 'ugx', 'huf'] as const;
const currency = fc.constantFrom(...CURRENCIES);
const amount = fc.oneof(
  fc.integer({ min: 1, max: 5 }),
  fc.constantFrom(10, 100, 999, 1_000, 1_001, 10_000, 99_999_999, 2 ** 53 - 1),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);
const asciiId = fc.string({ unit: fc.constantFrom(...'abz019-_%:+&=;#[]{}"\'<>|!.,*()'), minLength: 1, maxLength: 20 });
const paymentIntent = fc
  .string({ unit: fc.constantFrom(...'aZ09_'), minLength: 1, maxLength: 12 })
  .map((id) => `pi_${id}`);

const wish = fc
  .record({ paymentIntent, amount, currency, upper: fc.boolean() })
  .filter((one) => !one.paymentIntent.includes('_secret_'))
  .map(
    ({ upper, ...request }): StripeRefundRequest => ({
      ...request,
      currency: upper ? request.currency.toUpperCase() : request.currency,
    }),
  );
const markOf = (operationId: string) => ({ operationId, key: operationId });

/** The refund that Stripe would make of a wish. */
function refundOf(request: StripeRefundRequest, operationId: string, change: object = {}) {
  return {
    id: 're_1',
    object: 'refund',
    amount: request.amount,
    currency: request.currency.toLowerCase(),
    payment_intent: request.paymentIntent,
    status: 'succeeded',
    metadata: { op_id: operationId, op_key: operationId },
    ...change,
  };
}

/** One thing that makes it another refund than was asked for. */
const difference = fc.oneof(
  fc.constantFrom(1, -1, 100, -100).map((by) => (one: StripeRefundRequest) => ({ amount: one.amount + by })),
  fc.constantFrom(10, 100, 1_000).map((by) => (one: StripeRefundRequest) => ({ amount: one.amount * by })),
  fc.constantFrom(10, 100, 1_000).map((by) => (one: StripeRefundRequest) => ({ amount: one.amount / by })),
  fc.constant((one: StripeRefundRequest) => ({ amount: -one.amount })),
  currency.map((other) => (one: StripeRefundRequest) => ({
    currency: other === one.currency.toLowerCase() ? 'xxx' : other,
  })),
  fc.constant((one: StripeRefundRequest) => ({ currency: one.currency.toUpperCase() })),
  fc
    .constantFrom('x', '_', '0')
    .map((end) => (one: StripeRefundRequest) => ({ payment_intent: one.paymentIntent + end })),
  fc.constant((one: StripeRefundRequest) => ({ payment_intent: one.paymentIntent.slice(0, -1) })),
  fc.constant(() => ({ payment_intent: null })),
  fc.constant(() => ({ payment_intent: 'PI_1' })),
);

function answeredWith(request: StripeRefundRequest, operationId: string, refund: object): Outcome {
  return outcomeOf(request, operationId, { status: 200, headers: {}, body: JSON.stringify(refund) });
}

function outcomeOf(
  request: StripeRefundRequest,
  operationId: string,
  answer: { status: number; headers: Record<string, string | string[]>; body: string },
): Outcome {
  const expected = expectedRefund(provider.encode(request, markOf(operationId)));
  if (expected === null) throw new Error('The stored request is none of ours.');
  return refundOutcome({ result: { kind: 'answered', ...answer }, secrets: [SECRET_KEY] }, expected);
}

function webhookOf(event: unknown): WebhookNews | undefined {
  const body = JSON.stringify(event) ?? 'undefined';
  const header = signatureOf(body, { timestamp: NOON_S });
  return provider.webhook?.read({ body, headers: { 'stripe-signature': header }, nowMs: NOON_S * 1_000 });
}

const eventWith = (refund: unknown) => ({
  ...{ id: 'evt_1', object: 'event', type: 'refund.updated', livemode: false },
  data: { object: refund },
});

function evidenceInWebhook(request: StripeRefundRequest, operationId: string, refund: object): Evidence | null {
  const news = webhookOf(eventWith(refund));
  if (news?.kind !== 'effect') throw new Error(`It is ${JSON.stringify(news)}.`);
  const stored = provider.encode(request, markOf(operationId));
  return news.evidence({ request: stored, operationId, keys: [operationId] });
}

describe('an amount', () => {
  test('is written down and read back to the unit, in every kind of currency', () => {
    fc.assert(
      fc.property(wish, asciiId, (request, operationId) => {
        const stored = provider.encode(request, markOf(operationId));
        const form = new URLSearchParams(stored.body);
        expect(form.getAll('amount')).toEqual([BigInt(request.amount).toString()]);
        expect(form.getAll('payment_intent')).toEqual([request.paymentIntent]);
        expect(expectedRefund(stored)).toEqual({
          paymentIntent: request.paymentIntent,
          amount: request.amount,
          currency: request.currency.toLowerCase(),
          operationId,
          key: operationId,
        });
      }),
      runs(500),
    );
  });

  test('that is no whole number of minor units above zero is refused, never rounded', () => {
    const odd = fc.oneof(
      fc.double().filter((value) => !Number.isSafeInteger(value) || value <= 0),
      fc.constantFrom<unknown>('100', '12.34', null, undefined, 12n, [100], { valueOf: () => 100 }, true),
      fc.integer({ max: 0 }),
    );
    fc.assert(
      fc.property(wish, odd, (request, value) => {
        const wrong = { ...request, amount: value as number };
        expect(() => provider.encode(wrong, markOf('refund-1'))).toThrow(/whole number above zero/);
      }),
      runs(500),
    );
  });
});

describe('evidence', () => {
  test('of exactly what was asked for matches, wherever it comes from', () => {
    fc.assert(
      fc.property(wish, asciiId, (request, operationId) => {
        const refund = refundOf(request, operationId);
        expect(answeredWith(request, operationId, refund)).toMatchObject({ kind: 'confirmed', externalId: 're_1' });
        expect(evidenceInWebhook(request, operationId, refund)).toMatchObject({
          effects: [{ externalId: 're_1', status: 'succeeded', key: operationId, mismatch: null }],
        });
      }),
      runs(300),
    );
  });

  test('of one unit more or less, another currency or another payment never does', () => {
    fc.assert(
      fc.property(wish, asciiId, difference, (request, operationId, differ) => {
        const differs = differ(request);
        const refund = refundOf(request, operationId, differs);
        fc.pre(JSON.stringify(refund) !== JSON.stringify(refundOf(request, operationId)));
        const outcome = answeredWith(request, operationId, refund);
        expect(outcome).toMatchObject({ kind: 'unknown', resend: 'unsafe', alarm: expect.any(String) });
        expect(evidenceInWebhook(request, operationId, refund)).toMatchObject({
          effects: [{ mismatch: expect.stringMatching(/^its (amount|currency|payment) is /) }],
        });
      }),
      runs(500),
    );
  });

  test('under another operation’s ID is never taken for this one’s', () => {
    fc.assert(
      fc.property(wish, asciiId, asciiId, (request, operationId, other) => {
        fc.pre(operationId !== other);
        const refund = refundOf(request, other);
        expect(answeredWith(request, operationId, refund)).toMatchObject({ kind: 'unknown', resend: 'unsafe' });
        const expected = expectedRefund(provider.encode(request, markOf(operationId)));
        const read = readRefund(refund);
        if (expected === null || read === null) throw new Error('The fixture cannot be read.');
        const effect = foundEffect(read, { expected, keys: [operationId], provenKey: null });
        expect(effect).toMatchObject({ mismatch: expect.stringContaining('op_id') });
      }),
      runs(300),
    );
  });
});

describe('an answer', () => {
  const REQUEST: StripeRefundRequest = { paymentIntent: 'pi_1043', amount: 1_200, currency: 'eur' };
  const ID = 'refund-1043-li_2';

  const status = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(200, 400, 401, 402, 403, 404, 409, 429, 500) },
    fc.constantFrom(201, 202, 204, 206, 301, 302, 304, 405, 408, 410, 413, 422, 424, 451, 499, 501, 502, 503, 504, 599),
    fc.integer({ min: 100, max: 999 }),
  );
  const yes = (name: string) =>
    fc.constantFrom({}, {}, { [name]: 'true' }, { [name]: 'false' }, { [name]: ['true', 'true'] }, { [name]: 'maybe' });
  const headers = fc
    .tuple(yes('idempotent-replayed'), yes('stripe-should-retry'), fc.constantFrom({}, { 'request-id': 'req_1' }))
    .map((all) => Object.assign({}, ...all) as Record<string, string | string[]>);
  const message = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      'Refund amount (€12.00) is greater than unrefunded amount on charge (€0.00)',
      'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      'No such payment_intent; a similar object exists in live mode, but a test mode key was used to make this request.',
      `You sent ${SECRET_KEY} and whsec_canary2, for pi_1_secret_canary3.`,
    ),
  );
  const error = fc.record(
    {
      type: fc.oneof(
        fc.constantFrom('invalid_request_error', 'card_error', 'api_error', 'idempotency_error', 'rate_limit_error'),
        fc.constantFrom('authentication_error', 'permission_error', '', 'invalid_request_error', 'new_kind_of_error'),
        fc.anything(),
      ),
      code: fc.oneof(
        fc.constantFrom(null, 'charge_already_refunded', 'resource_missing', 'idempotency_key_in_use', 'lock_timeout'),
        fc.constantFrom('rate_limit', 'livemode_mismatch', 'amount_too_large', 'api_key_expired', 'brand_new_code'),
        fc.anything(),
      ),
      message: fc.oneof(message, fc.anything()),
      param: fc.oneof(fc.constantFrom('amount', null), fc.anything()),
    },
    { requiredKeys: [] },
  );
  const refundChange = fc.record(
    {
      status: fc.oneof(
        fc.constantFrom('succeeded', 'pending', 'requires_action', 'failed', 'canceled', 'reversed', null, 'Succeeded'),
        fc.anything(),
      ),
      object: fc.oneof(fc.constantFrom('refund', 'charge', 'list'), fc.anything()),
      id: fc.oneof(fc.constantFrom('re_1', 'pyr_1', '', 'nonsense'), fc.anything()),
      amount: fc.oneof(fc.constantFrom(1_200, 1_201, '1200'), fc.anything()),
      currency: fc.oneof(fc.constantFrom('eur', 'EUR', 'usd'), fc.anything()),
      payment_intent: fc.oneof(fc.constantFrom('pi_1043', 'pi_1'), fc.anything()),
      metadata: fc.oneof(fc.constantFrom<object[]>({ op_id: ID, op_key: ID }, { op_id: ID }, {}), fc.anything()),
      failure_reason: fc.oneof(fc.constantFrom('expired_or_canceled_card', null), fc.anything()),
      error: error,
    },
    { requiredKeys: [] },
  );
  const parsed = fc.oneof(
    { weight: 4, arbitrary: refundChange.map((change) => refundOf(REQUEST, ID, change)) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom('succeeded', 'pending', 'requires_action', 'failed', 'canceled')
        .map((now) => refundOf(REQUEST, ID, { status: now })),
    },
    { weight: 5, arbitrary: error.map((one) => ({ error: one })) },
    fc.anything(),
  );
  const body = fc.oneof(
    { weight: 6, arbitrary: parsed.map((value) => JSON.stringify(value, bigintAsText) ?? '') },
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('', '<html><body>502 Bad Gateway</body></html>', 'null', '[]', '{', '{"error":null}'),
  );
  const NO_HEADERS: Record<string, string | string[]> = {};
  const answer = fc.oneof(
    { weight: 15, arbitrary: fc.record({ status, headers, body }) },
    // As Stripe answers on a good day.
    {
      weight: 1,
      arbitrary: fc.constantFrom('succeeded', 'pending', 'failed').map((now) => ({
        status: 200,
        headers: NO_HEADERS,
        body: JSON.stringify(refundOf(REQUEST, ID, { status: now })),
      })),
    },
  );

  /**
   * The lists of docs/providers/stripe.md once more, written down without the product's code: what an answer must have
   * to be taken for one of these. All else has to be unknown.
   */
  const LISTED: Record<Exclude<Outcome['kind'], 'unknown'>, (read: Read) => boolean> = {
    confirmed: (read) => isOurRefund(read, ['succeeded']) && !mayBeReplay(read),
    accepted: (read) =>
      isOurRefund(read, ['pending', 'requires_action']) || (mayBeReplay(read) && isOurRefund(read, null)),
    rejected: (read) =>
      (isOurRefund(read, ['failed', 'canceled']) && !mayBeReplay(read)) ||
      (isRefusal(read) && !/^true$/.test(String(read.headers['stripe-should-retry']))),
    'not-submitted': (read) =>
      !mayBeReplay(read) &&
      ((DOOR_TYPES.includes(read.error?.type) && DOOR_STATUSES.includes(read.status)) ||
        (read.error?.type === 'invalid_request_error' &&
          /similar object exists in (live|test) mode/i.test(String(read.error['message'])))),
  };

  test('is rejected, confirmed, accepted or not submitted only where it is listed as that; all else is unknown', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(answer, (given) => {
        const outcome = outcomeOf(REQUEST, ID, given);
        seen.set(outcome.kind, (seen.get(outcome.kind) ?? 0) + 1);
        if (outcome.kind === 'unknown') return;
        expect([outcome.kind, LISTED[outcome.kind](readOf(given))]).toEqual([outcome.kind, true]);
      }),
      runs(3_000),
    );
    // The values are near enough to what is listed that each outcome comes up.
    expect([...seen.keys()].sort()).toEqual(['accepted', 'confirmed', 'not-submitted', 'rejected', 'unknown']);
  });

  test('covers all attempts only where the refusal is a stored one, a failed charge, or a refund that failed at once', () => {
    fc.assert(
      fc.property(answer, (given) => {
        const outcome = outcomeOf(REQUEST, ID, given);
        if (outcome.kind !== 'rejected' || outcome.covers !== 'all' || outcome.externalId !== null) return;
        const stored = given.headers['idempotent-replayed'] === 'true' && given.status !== 404;
        expect(stored || given.status === 402).toBe(true);
      }),
      runs(1_500),
    );
  });

  test('leaves no secret in what is kept of it, and what is kept is bounded', () => {
    const text = fc.tuple(
      fc.oneof(
        fc.constantFrom('', 'a '),
        fc.integer({ min: 260, max: 400 }).map((count) => `${'a'.repeat(count)} `),
      ),
      fc.constantFrom('', '.', 'a'.repeat(5_000)),
    );
    const telling = text.map(([before, after]) => `${before}${SECRET_KEY} whsec_canary2 pi_1_secret_canary3${after}`);
    const told = fc.oneof(
      fc.record({ type: fc.constantFrom('invalid_request_error', 'card_error'), code: telling, message: telling }),
      fc.record({ type: telling, message: telling }),
    );
    const leaking = fc.oneof(
      fc.tuple(
        status,
        headers,
        told.map((one) => ({ error: one })),
      ),
      fc.tuple(
        fc.constant(200),
        headers,
        telling.map((now) => refundOf(REQUEST, ID, { status: now, currency: now })),
      ),
      fc.tuple(
        fc.constant(200),
        headers,
        telling.map((why) => refundOf(REQUEST, ID, { status: 'failed', failure_reason: why })),
      ),
      fc.tuple(status, headers, telling),
    );
    fc.assert(
      fc.property(leaking, ([code, all, content]) => {
        const kept = JSON.stringify(
          outcomeOf(REQUEST, ID, { status: code, headers: all, body: JSON.stringify(content) }),
        );
        expect(kept).not.toMatch(/canary/);
        expect(kept.length).toBeLessThan(20_000);
      }),
      runs(500),
    );
  });

  interface Read {
    readonly status: number;
    readonly headers: Record<string, string | string[]>;
    readonly json: Record<string, unknown>;
    readonly error: (Record<string, unknown> & { readonly type: string }) | null;
  }

  function readOf({
    status: code,
    headers: all,
    body: text,
  }: {
    status: number;
    headers: Read['headers'];
    body: string;
  }): Read {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = null;
    }
    const fields = typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
    return { status: code, headers: all, json: fields, error: (fields['error'] ?? null) as Read['error'] };
  }

  function mayBeReplay({ headers: all }: Read): boolean {
    return ![undefined, 'false'].includes(all['idempotent-replayed'] as string | undefined);
  }

  function isOurRefund({ status: code, json }: Read, statuses: readonly string[] | null): boolean {
    const marks = json['metadata'] as Record<string, unknown> | null | undefined;
    return (
      code === 200 &&
      !('error' in json) &&
      json['object'] === 'refund' &&
      /^(re|pyr)_1$/.test(String(json['id'])) &&
      json['amount'] === 1_200 &&
      json['currency'] === 'eur' &&
      json['payment_intent'] === 'pi_1043' &&
      marks?.['op_id'] === ID &&
      marks['op_key'] === ID &&
      (statuses === null || statuses.includes(String(json['status'])))
    );
  }

  const DOOR_TYPES: readonly unknown[] = [
    'invalid_request_error',
    'authentication_error',
    'permission_error',
    'rate_limit_error',
  ];
  const DOOR_STATUSES = [400, 401, 403, 404, 409, 429];

  /** 400 or 402, or a 404 that says that something is missing, with one of the two types that refuse. */
  function isRefusal({ status: code, error: told }: Read): boolean {
    if (told?.type === 'card_error') return code === 402;
    if (told?.type !== 'invalid_request_error') return false;
    return code === 400 || code === 402 || (code === 404 && told['code'] === 'resource_missing');
  }
});

describe('a webhook', () => {
  const header = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc
      .tuple(fc.nat(), fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), maxLength: 64 }))
      .map(([t, v1]) => `t=${t},v1=${v1}`),
    fc.constantFrom(
      `t=${NOON_S},v1=`,
      `t=${NOON_S}`,
      't=,v1=',
      ',',
      '=',
      `t=${NOON_S},t=${NOON_S},v1=00`,
      't=1e9,v1=00',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => signatureOf(text, { timestamp: NOON_S })),
  );
  const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array).toString('utf8'));

  test('of any bytes under any header that nobody signed is refused, and throws nothing', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.dictionary(fc.string({ maxLength: 5 }), fc.string()),
        fc.option(header),
        fc.double(),
        (text, others, signature, nowMs) => {
          const given = { ...others, ...(signature === null ? {} : { 'stripe-signature': signature }) };
          fc.pre(signature === null || signature !== signatureOf(text, { timestamp: NOON_S }));
          for (const at of [NOON_S * 1_000, nowMs]) {
            expect(provider.webhook?.read({ body: text, headers: given, nowMs: at })).toMatchObject({
              kind: 'refused',
            });
          }
        },
      ),
      runs(1_000),
    );
  });

  test('that Stripe signed and nobody understands is ignored or unreadable; it shows nothing and throws nothing', () => {
    const field = fc.oneof(
      fc.constantFrom<unknown>('re_1', 'refund', 1_200, 'eur', 'pi_1043', 'succeeded', 'refund-1'),
      fc.anything(),
    );
    const object = fc.record(
      {
        id: field,
        object: field,
        amount: field,
        currency: field,
        payment_intent: field,
        status: field,
        metadata: fc.oneof(fc.record({ op_id: field, op_key: field }), fc.anything()),
      },
      { requiredKeys: [] },
    );
    const event = fc.record(
      {
        id: fc.constantFrom<unknown>('evt_1', '', 7),
        object: fc.constantFrom<unknown>('event', 'event', 'v2.core.event', null),
        type: fc.oneof(
          fc.constantFrom('refund.updated', 'refund.created', 'refund.failed', 'charge.refunded'),
          fc.anything(),
        ),
        livemode: fc.constantFrom<unknown>(true, false, false, 'no'),
        account: fc.constantFrom<unknown>(null, undefined, 'acct_1', 7),
        request: fc.oneof(fc.constantFrom<unknown>(null, 'req_1', { idempotency_key: 'refund-1' }), fc.anything()),
        data: fc.oneof(
          object.map((each) => ({ object: each })),
          fc.record({
            object: fc.constant(refundOf({ paymentIntent: 'pi_1043', amount: 1_200, currency: 'eur' }, 'refund-1')),
          }),
          fc.anything(),
        ),
      },
      { requiredKeys: ['object', 'type', 'data'] },
    );
    const request = provider.encode({ paymentIntent: 'pi_1043', amount: 1_200, currency: 'eur' }, markOf('refund-1'));
    fc.assert(
      fc.property(fc.oneof({ weight: 5, arbitrary: event }, fc.anything()), (given) => {
        const news = webhookOf(jsonOf(given));
        expect(['ignored', 'unreadable', 'effect']).toContain(news?.kind);
        if (news?.kind !== 'effect') return;
        const evidence = news.evidence({ request, operationId: 'refund-1', keys: ['refund-1'] });
        if (evidence?.kind === 'found') {
          // Only what is a refund to the letter is one, and never more than that one.
          expect(evidence).toMatchObject({ complete: false, effects: [expect.anything()] });
          expect(jsonOf(given)).toMatchObject({ data: { object: { object: 'refund', id: 're_1' } } });
        }
      }),
      runs(1_000),
    );
  });
});

describe('over HTTP, with the SDK', () => {
  let stripe: FakeStripe;
  beforeAll(async () => {
    stripe = await startFakeStripe();
  });
  afterAll(() => stripe.close());

  test(
    'the refund that is made is the one that was asked for, and the query finds it and no other',
    async () => {
      const { host, port, protocol } = stripe;
      const real = stripeRefunds({ connect: (config) => new Stripe('sk_test_1', { ...config, host, port, protocol }) });
      let count = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 99_999_999 }),
          currency,
          fc.constantFrom(-1, 1),
          async (units, coin, by) => {
            const [operationId, payment] = [`refund-${++count}`, `pi_n${count}`];
            stripe.addPayment({ id: payment, amount: units + 1, currency: coin });
            const wished = { paymentIntent: payment, amount: units, currency: coin };
            const request = real.encode(wished, markOf(operationId));
            const deadline = { remainingMs: () => 10_000 };
            const outcome = await real.send({ request, ...markOf(operationId), deadline });
            expect(outcome).toMatchObject({ kind: 'confirmed' });
            const ask = { operationId, keys: [operationId], externalId: null, since: Date.now() - 1_000 };
            const found = await real.find?.({ ...ask, request });
            expect(found).toMatchObject({ effects: [{ status: 'succeeded', mismatch: null }], complete: true });
            if (units + by < 1) return;
            const other = real.encode({ ...wished, amount: units + by }, markOf(operationId));
            expect(await real.find?.({ ...ask, request: other })).toMatchObject({
              effects: [{ mismatch: `its amount is ${units}, not ${units + by}` }],
            });
          },
        ),
        runs(25),
      );
    },
    PROPERTY_MS,
  );
});

function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, bigintAsText) ?? 'null');
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}
