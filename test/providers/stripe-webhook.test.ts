// Needs nothing.
import Stripe from 'stripe';
import type { StoredRequest } from '../../src/operations/request';
import type { EffectNews, WebhookNews } from '../../src/providers/provider';
import { StripeClientUnsuitableError, type StripeRefundsOptions, stripeRefunds } from '../../src/providers/stripe';
import { signatureOf, WEBHOOK_SECRET } from '../support/webhook-posts';

const NOON_S = Date.UTC(2026, 10, 30, 12) / 1_000;
const ID = 'refund-1043-li_2';
const KEYS = [ID, `${ID}~2`];

const REFUND = {
  ...{ id: 're_1', object: 'refund', amount: 1200, currency: 'eur', payment_intent: 'pi_1043', status: 'succeeded' },
  metadata: { op_id: ID, op_key: ID, op_currency: 'eur' },
};
const EVENT = {
  ...{ id: 'evt_1', object: 'event', api_version: '2026-10-28.endive', created: NOON_S, livemode: false },
  ...{ type: 'refund.updated', request: { id: null, idempotency_key: null }, pending_webhooks: 1 },
};
const eventOf = (refund: object, event: object = {}) => ({ ...EVENT, ...event, data: { object: refund } });

function provider(options: Partial<StripeRefundsOptions> = {}) {
  return stripeRefunds({
    connect: (config) => new Stripe('sk_test_1', config),
    webhookSecret: WEBHOOK_SECRET,
    ...options,
  });
}

function readText(body: string, header: string, options?: Partial<StripeRefundsOptions>): WebhookNews {
  const news = provider(options).webhook?.read({
    body,
    headers: { 'stripe-signature': header },
    nowMs: NOON_S * 1_000,
  });
  if (news === undefined) throw new Error('It reads no webhooks.');
  return news;
}

function read(event: object, options?: Partial<StripeRefundsOptions>): WebhookNews {
  const body = JSON.stringify(event, null, 2);
  return readText(body, signatureOf(body, { timestamp: NOON_S }), options);
}

function effectIn(event: object): EffectNews {
  const news = read(event);
  if (news.kind !== 'effect') throw new Error(`It is ${news.kind}: ${news.why}`);
  return news;
}

const requestOf = (key = ID, amount = 1200, account?: string): StoredRequest =>
  provider(account === undefined ? {} : { account }).encode(
    { paymentIntent: 'pi_1043', amount, currency: 'eur' },
    { operationId: ID, key },
  );

const evidenceIn = (event: object, request = requestOf()) =>
  effectIn(event).evidence({ request, operationId: ID, keys: KEYS });

describe('the signature', () => {
  const body = JSON.stringify(eventOf(REFUND), null, 2);
  const signed = (timestamp: number, secret?: string, text = body) =>
    readText(body, signatureOf(text, { timestamp, ...(secret === undefined ? {} : { secret }) }));

  test.each([
    ['just now', 0],
    ['five minutes ago', -300],
    ['five minutes ahead', 300],
  ])('made %s → taken', (_when, offset) => {
    expect(signed(NOON_S + offset).kind).toBe('effect');
  });

  test.each([
    ['older', -301, /signed 301 s ago/],
    ['further in the future, which the SDK would take', 301, /signed 301 s in the future/],
    ['days ahead', 864_000, /in the future/],
  ])('%s → refused', (_what, offset, why) => {
    expect(signed(NOON_S + offset)).toEqual({ kind: 'refused', why: expect.stringMatching(why) });
  });

  test('the SDK alone takes one from the future: what the second check is for', () => {
    const header = signatureOf(body, { timestamp: NOON_S + 864_000 });
    const { webhooks } = new Stripe('sk_test_1');
    expect(webhooks.constructEvent(body, header, WEBHOOK_SECRET, 300, undefined, NOON_S * 1_000).id).toBe('evt_1');
  });

  test.each([
    ['another secret', signatureOf(body, { timestamp: NOON_S, secret: 'whsec_wrong' })],
    ['another text', signatureOf(`${body} `, { timestamp: NOON_S })],
    ['no header', ''],
    ['no time', 'v1=00'],
    ['two times', `t=${NOON_S - 10},${signatureOf(body, { timestamp: NOON_S })}`],
    ['another scheme', signatureOf(body, { timestamp: NOON_S }).replace('v1=', 'v0=')],
    ['nonsense', 'nonsense'],
  ])('%s → refused', (_what, header) => {
    expect(readText(body, header).kind).toBe('refused');
  });

  test('a body that somebody parsed and wrote again → refused', () => {
    const again = JSON.stringify(JSON.parse(body));
    expect(readText(again, signatureOf(body, { timestamp: NOON_S })).kind).toBe('refused');
  });

  test('while a secret is replaced both count, and a header may have a signature of each', () => {
    const both = { webhookSecret: ['whsec_new', 'whsec_old'] };
    const [byNew, byOld] = ['whsec_new', 'whsec_old'].map((secret) => signatureOf(body, { timestamp: NOON_S, secret }));
    expect(readText(body, `${byNew}`, both).kind).toBe('effect');
    expect(readText(body, `${byOld}`, both).kind).toBe('effect');
    expect(readText(body, `${byOld},v1=${byNew?.replace(/.*v1=/, '')}`, { webhookSecret: 'whsec_new' }).kind).toBe(
      'effect',
    );
    expect(readText(body, `${byOld}`, { webhookSecret: 'whsec_new' }).kind).toBe('refused');
  });
});

describe('what counts as news of an effect', () => {
  test.each(['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'])('%s does', (type) => {
    expect(read(eventOf(REFUND, { type }))).toMatchObject({ kind: 'effect', operationId: ID, key: ID });
  });

  test.each<[string, object, RegExp]>([
    [
      'charge.refunded: it carries the charge',
      eventOf({ object: 'charge' }, { type: 'charge.refunded' }),
      /charge\.ref/,
    ],
    ['another kind', eventOf(REFUND, { type: 'payout.paid' }), /payout\.paid say nothing/],
    ['a refund without our mark', eventOf({ ...REFUND, metadata: {} }), /re_1 bears no operation ID/],
    ['a thin event', { ...eventOf(REFUND), object: 'v2.core.event' }, /no event as this release/],
    ['no event', { hello: 'world' }, /no event as this release/],
  ])('%s → ignored', (_what, event, why) => {
    expect(read(event)).toEqual({ kind: 'ignored', why: expect.stringMatching(why) });
  });

  test('a signed text that is no JSON → ignored', () => {
    expect(readText('hello', signatureOf('hello', { timestamp: NOON_S })).kind).toBe('ignored');
  });

  test('a refund that cannot be read → unreadable', () => {
    expect(read(eventOf({ ...REFUND, amount: '12.00' }))).toMatchObject({ kind: 'unreadable', why: /evt_1/ });
  });

  test('of the other mode → ignored, where a mode is named', () => {
    expect(read(eventOf(REFUND), { livemode: true })).toEqual({ kind: 'ignored', why: 'It is of test mode.' });
    expect(read(eventOf(REFUND, { livemode: true }), { livemode: false }).kind).toBe('ignored');
    expect(read(eventOf(REFUND), { livemode: false }).kind).toBe('effect');
    expect(read(eventOf(REFUND, { livemode: true })).kind).toBe('effect');
  });

  test('the key of a creation stands in for a mark that is gone, the key of a change does not', () => {
    const bare = { ...REFUND, metadata: { op_id: ID } };
    const request = { id: 'req_1', idempotency_key: `${ID}~2` };
    expect(effectIn(eventOf(bare, { type: 'refund.created', request })).key).toBe(`${ID}~2`);
    expect(effectIn(eventOf(bare, { request })).key).toBeNull();
    expect(effectIn(eventOf(bare, { request: 'req_1' })).key).toBeNull();
  });
});

describe('compared with the stored request', () => {
  test.each([
    ['pending', 'pending'],
    ['requires_action', 'pending'],
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ])('a refund that is %s → found, %s, and never complete', (status, told) => {
    const effects = [{ externalId: 're_1', status: told, key: ID, mismatch: null }];
    expect(evidenceIn(eventOf({ ...REFUND, status }))).toEqual({ kind: 'found', effects, complete: false });
  });

  test('the object tells the status, not the kind of the event', () => {
    expect(evidenceIn(eventOf({ ...REFUND, status: 'pending' }, { type: 'refund.failed' }))).toMatchObject({
      effects: [{ status: 'pending' }],
    });
  });

  test('a status that is not listed → inconclusive', () => {
    expect(evidenceIn(eventOf({ ...REFUND, status: 'reversed' }))).toMatchObject({
      kind: 'inconclusive',
      why: /reversed/,
    });
  });

  test.each<[string, object, string]>([
    ['payment', { payment_intent: 'pi_2' }, 'its payment is pi_2, not pi_1043'],
    ['amount', { amount: 1300 }, 'its amount is 1300, not 1200'],
    ['currency', { currency: 'usd' }, 'its currency is usd, not eur'],
  ])('another %s → found, with what differs', (_what, change, mismatch) => {
    expect(evidenceIn(eventOf({ ...REFUND, ...change }))).toMatchObject({ effects: [{ mismatch }] });
  });

  test('of another account → not this operation’s', () => {
    expect(evidenceIn(eventOf(REFUND, { account: 'acct_1' }))).toBeNull();
    expect(evidenceIn(eventOf(REFUND), requestOf(ID, 1200, 'acct_1'))).toBeNull();
    expect(evidenceIn(eventOf(REFUND, { account: 'acct_1' }), requestOf(ID, 1200, 'acct_1'))).toMatchObject({
      effects: [{ mismatch: null }],
    });
  });

  test('the key that a creation proves makes up for marks of another key', () => {
    const request = { id: 'req_1', idempotency_key: `${ID}~2` };
    const created = eventOf(REFUND, { type: 'refund.created', request });
    expect(evidenceIn(created, requestOf(`${ID}~2`))).toMatchObject({ effects: [{ key: `${ID}~2`, mismatch: null }] });
  });

  test('a stored request of another operation → inconclusive', () => {
    const news = effectIn(eventOf(REFUND));
    expect(news.evidence({ request: requestOf(), operationId: 'refund-9', keys: [] })).toMatchObject({
      kind: 'inconclusive',
      why: /^Bug/,
    });
  });
});

describe('the options', () => {
  test('without a secret there is nothing to read webhooks with', () => {
    expect(stripeRefunds({ connect: (config) => new Stripe('sk_test_1', config) }).webhook).toBeUndefined();
    expect(provider().webhook?.path).toBe('stripe');
  });

  test.each([['' as string | string[]], [[]], ['sk_test_1'], ['whsec_a\n'], [['whsec_a', '']]])(
    '%j is no signing secret, and is not shown',
    (webhookSecret) => {
      expect(() => provider({ webhookSecret })).toThrow(/^No signing secret of a Stripe webhook endpoint: it begins/);
    },
  );

  test('a client that cannot check signatures → unsuitable', () => {
    const connect: StripeRefundsOptions['connect'] = (config) =>
      Object.assign(new Stripe('sk_test_1', config), { webhooks: undefined });
    expect(() => provider({ connect })).toThrow(StripeClientUnsuitableError);
  });
});
