// Needs nothing.
import Stripe from 'stripe';
import { RefusedError } from '../../src/operations/refused-error';
import { hours, minutes, seconds } from '../../src/operations/time';
import {
  type StripeClientConfig,
  StripeClientUnsuitableError,
  type StripeRefundRequest,
  type StripeRefundsOptions,
  stripeRefunds,
} from '../../src/providers/stripe';

const MARK = { operationId: 'refund-1043-li_2', key: 'shop~refund-1043-li_2~2' };
const REQUEST: StripeRefundRequest = { paymentIntent: 'pi_1043', amount: 1200, currency: 'eur' };
const connect = (config: StripeClientConfig) => new Stripe('sk_test_1', config);
const provider = (options: Partial<StripeRefundsOptions> = {}) => stripeRefunds({ connect, ...options });

describe('encode', () => {
  test('writes the request down as the text that is stored and sent', () => {
    expect(provider().encode(REQUEST, MARK)).toEqual({
      account: '',
      path: 'POST /v1/refunds',
      version: '2026-10-28.endive',
      body:
        'payment_intent=pi_1043&amount=1200&metadata[op_id]=refund-1043-li_2' +
        '&metadata[op_key]=shop~refund-1043-li_2~2&metadata[op_currency]=eur',
    });
  });

  test('escapes what the user puts in, and keeps its order', () => {
    const metadata = { 'a b': 'x&amount=1', é: "100 % +'()*!~", note: '' };
    const { body } = provider().encode({ ...REQUEST, reason: 'duplicate', metadata }, MARK);
    expect(body).toBe(
      'payment_intent=pi_1043&amount=1200&reason=duplicate&metadata[op_id]=refund-1043-li_2' +
        '&metadata[op_key]=shop~refund-1043-li_2~2&metadata[op_currency]=eur' +
        '&metadata[a%20b]=x%26amount%3D1&metadata[%C3%A9]=100%20%25%20%2B%27%28%29%2A%21~&metadata[note]=',
    );
  });

  test('writes the currency in lower case', () => {
    expect(provider().encode({ ...REQUEST, currency: 'EUR' }, MARK)).toEqual(provider().encode(REQUEST, MARK));
  });

  test('takes account and version from the options', () => {
    const stored = provider({ account: 'acct_1', apiVersion: '2024-06-20' }).encode(REQUEST, MARK);
    expect(stored).toMatchObject({ account: 'acct_1', version: '2024-06-20' });
  });

  test.each<[string, object, RegExp]>([
    ['no amount', { amount: undefined }, /whole number above zero/],
    ['amount null', { amount: null }, /whole number above zero/],
    ['amount 0', { amount: 0 }, /whole number above zero.*not 0/],
    ['a negative amount', { amount: -5 }, /not -5/],
    ['half a cent', { amount: 5.5 }, /not 5\.5/],
    ['NaN', { amount: Number.NaN }, /not NaN/],
    ['an amount with an exponent', { amount: 1e21 }, /whole number/],
    ['an amount that is not safe', { amount: 2 ** 53 }, /whole number/],
    ['an amount as text', { amount: '1200' }, /whole number/],
    ['a bigint', { amount: 1200n }, /whole number/],
    ['no payment', { paymentIntent: undefined }, /payment intent \(pi_…\), not undefined/],
    ['a charge', { paymentIntent: 'ch_1' }, /not "ch_1"/],
    ['a path in the payment', { paymentIntent: 'pi_1/../x' }, /payment intent/],
    ['an empty payment', { paymentIntent: 'pi_' }, /payment intent/],
    ['a client secret', { paymentIntent: 'pi_1_secret_abc' }, /not by its client secret\.$/],
    ['no currency', { currency: undefined }, /three letters \(eur\), not undefined/],
    ['a word as currency', { currency: 'euro' }, /not "euro"/],
    [
      'a reason that Stripe does not know',
      { reason: 'because' },
      /one of duplicate, fraudulent, requested_by_customer/,
    ],
    ['op_id in the metadata', { metadata: { op_id: 'x' } }, /"op_id" is reserved/],
    ['any op_… in the metadata', { metadata: { op_note: 'x' } }, /"op_note" is reserved/],
    ['brackets in a metadata name', { metadata: { 'a][op_id': 'x' } }, /no square brackets/],
    ['an empty metadata name', { metadata: { '': 'x' } }, /1 to 40 characters/],
    ['a long metadata name', { metadata: { ['x'.repeat(41)]: 'x' } }, /1 to 40 characters/],
    ['a long metadata value', { metadata: { note: 'x'.repeat(501) } }, /up to 500 characters/],
    ['a number as metadata value', { metadata: { note: 5 } }, /must be a text/],
    ['half a character', { metadata: { note: '\ud83d' } }, /half a character/],
    [
      'too many entries',
      { metadata: Object.fromEntries(range(48).map((n) => [`k${n}`, 'x'])) },
      /48 entries.*room for 47/,
    ],
  ])('refuses %s', (_what, changes, message) => {
    const encode = () => provider().encode({ ...REQUEST, ...changes } as StripeRefundRequest, MARK);
    expect(encode).toThrow(RefusedError);
    expect(encode).toThrow(message);
  });

  test.each<[string, object]>([
    ['47 entries', { metadata: Object.fromEntries(range(47).map((n) => [`k${n}`, 'x'])) }],
    [
      'names of 40 and values of 500 characters, however many bytes',
      { metadata: { ['é'.repeat(40)]: '😀'.repeat(500) } },
    ],
    ['the largest safe amount', { amount: Number.MAX_SAFE_INTEGER }],
  ])('takes %s', (_what, changes) => {
    expect(() => provider().encode({ ...REQUEST, ...changes }, MARK)).not.toThrow();
  });

  test.each([
    ['blank at the end', { key: 'refund-1 ' }],
    ['newline', { key: 'refund\n1' }],
    ['umlaut', { key: 'rückzahlung' }],
    ['256 characters', { key: 'x'.repeat(256) }],
    ['empty operation ID', { operationId: '' }],
  ])('refuses a key or operation ID that a header would change: %s', (_what, mark) => {
    expect(() => provider().encode(REQUEST, { ...MARK, ...mark })).toThrow(RefusedError);
  });
});

describe('the client that connect returns', () => {
  const refused = (make: StripeRefundsOptions['connect']) => () => stripeRefunds({ connect: make });
  test.each<[string, StripeRefundsOptions['connect'], RegExp]>([
    ['made without the config', () => new Stripe('sk_test_1'), /without the httpClient/],
    [
      'with its own HTTP client',
      (config) => new Stripe('sk_test_1', { ...config, httpClient: Stripe.createNodeHttpClient() }),
      /without the httpClient/,
    ],
    ['with another provider’s HTTP client', () => clientOfAnother(), /without the httpClient/],
    ['with retries', (config) => new Stripe('sk_test_1', { ...config, maxNetworkRetries: 2 }), /retries by itself/],
    [
      'with the retries of the SDK',
      ({ httpClient }) => new Stripe('sk_test_1', { httpClient, telemetry: false }),
      /retries by itself/,
    ],
    ['with telemetry', (config) => new Stripe('sk_test_1', { ...config, telemetry: true }), /telemetry on/],
    [
      'with an account of its own',
      (config) => new Stripe('sk_test_1', { ...config, stripeAccount: 'acct_1' }),
      /carries a stripeAccount/,
    ],
    [
      'with a context of its own',
      (config) => new Stripe('sk_test_1', { ...config, stripeContext: 'acct_1' }),
      /carries a stripeContext/,
    ],
    ['that is no client', () => ({}) as never, /no client of the package stripe/],
    ['that is none', () => undefined as never, /no client of the package stripe/],
    ['that comes later', (async () => clientOfAnother()) as never, /no client of the package stripe/],
  ])('%s is refused when the provider is made', (_what, make, message) => {
    expect(refused(make)).toThrow(StripeClientUnsuitableError);
    expect(refused(make)).toThrow(message);
    expect(refused(make)).toThrow(/connect: \(config\) => new Stripe\(key, config\)/);
  });

  test('sends nothing but refunds of the provider', async () => {
    const client = clientOfAnother();
    await expect(client.customers.list()).rejects.toThrow();
  });

  function clientOfAnother(): Stripe {
    const made: Stripe[] = [];
    stripeRefunds({
      connect: (config) => {
        const client = new Stripe('sk_test_1', config);
        made.push(client);
        return client;
      },
    });
    return made[0] as Stripe;
  }
});

describe('the contract', () => {
  test('is what Stripe documents', () => {
    const { name, contract, sharedAccount } = provider();
    expect({ name, sharedAccount }).toEqual({ name: 'stripe.refunds', sharedAccount: false });
    expect(contract).toMatchObject({
      key: { window: hours(24), margin: minutes(30), maxLength: 255, replays: 'every-answer' },
      absence: 'inconclusive',
      sendWithin: seconds(10),
      deliverWithin: minutes(15),
      answerWithin: seconds(30),
    });
  });

  test('may be shortened, the key window too', () => {
    const { contract } = provider({
      contract: { sendWithin: seconds(1), deliverWithin: seconds(2), key: { window: seconds(60), margin: seconds(5) } },
    });
    expect(contract).toMatchObject({ sendWithin: 1_000, key: { window: 60_000, margin: 5_000, maxLength: 255 } });
  });

  test.each<[string, StripeRefundsOptions['contract'], RegExp]>([
    ['a margin below sendWithin + deliverWithin', { key: { margin: minutes(5) } }, /margin/],
    ['a window below its margin', { key: { window: minutes(20) } }, /longer than its margin/],
    ['a window beyond Stripe’s', { key: { window: hours(25) } }, /24 hours/],
  ])('%s is refused', (_what, contract, message) => {
    expect(() => provider({ contract: contract ?? {} })).toThrow(message);
  });
});

test.each<[string, Partial<StripeRefundsOptions>]>([
  ['account', { account: '1234' }],
  ['account', { account: 'acct_1\r\nX: y' }],
  ['apiVersion', { apiVersion: '2024-06-20\n' }],
  ['apiVersion', { apiVersion: '' }],
])('an %s that no header can carry is refused', (_what, options) => {
  expect(() => provider(options)).toThrow(TypeError);
});

test('the package stripe is not loaded by the provider itself', () => {
  jest.isolateModules(() => {
    jest.doMock('stripe', () => {
      throw new Error('loaded');
    });
    expect(() => require('../../src/providers/stripe')).not.toThrow();
    jest.dontMock('stripe');
  });
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}
