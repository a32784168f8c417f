// Needs nothing but a local port.
import { createServer, type Server, type ServerResponse } from 'node:http';
import Stripe from 'stripe';
import type { FindQuery } from '../../src/providers/provider';
import { type StripeRefundsOptions, stripeRefunds } from '../../src/providers/stripe';

const KEYS = ['refund-1043-li_2', 'refund-1043-li_2~2'];
const [KEY, KEY_2] = KEYS as [string, string];
const SINCE = Date.UTC(2026, 10, 30, 12);

type Answer = object | ((response: ServerResponse) => void);
const OURS = {
  ...{ id: 're_1', object: 'refund', amount: 1200, currency: 'eur', payment_intent: 'pi_1043', status: 'succeeded' },
  metadata: { op_id: 'refund-1043-li_2', op_key: KEY, op_currency: 'eur' },
};
const OTHER = { ...OURS, id: 're_9', metadata: {} };
const list = (data: unknown[], more = false) => ({ object: 'list', data, has_more: more, url: '/v1/x' });
const failing =
  (status: number, body = '{"error":{"type":"api_error","message":"Down."}}') =>
  (response: ServerResponse) => {
    response.writeHead(status).end(body);
  };
const event = (changes: { type?: string; key?: string | null; object?: object }) => ({
  id: `evt_${++made}`,
  object: 'event',
  type: changes.type ?? 'refund.created',
  request: { id: 'req_1', idempotency_key: changes.key ?? null },
  data: { object: { ...OURS, metadata: {}, ...changes.object } },
});

let made = 0;
let server: Server;
let routes: Record<string, Answer[]> = {};
let asked: string[] = [];
let headers: Record<string, unknown>[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    asked.push(decodeURIComponent(`${request.method} ${url.pathname}${url.search}`));
    headers.push(request.headers);
    const answers = routes[url.pathname] ?? [];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (typeof answer === 'function') answer(response);
    else if (answer === undefined)
      failing(
        404,
        '{"error":{"type":"invalid_request_error","code":"resource_missing","message":"No such."}}',
      )(response);
    else response.writeHead(200).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  headers = [];
  routes = { '/v1/refunds': [list([])], '/v1/events': [list([])] };
});

async function find(changes: Partial<FindQuery> = {}, options: Partial<StripeRefundsOptions> = {}) {
  const { port } = server.address() as { port: number };
  const provider = stripeRefunds({
    connect: (config) => new Stripe('sk_test_1', { ...config, host: '127.0.0.1', port, protocol: 'http' }),
    ...options,
  });
  const mark = { operationId: 'refund-1043-li_2', key: KEY };
  const request = provider.encode({ paymentIntent: 'pi_1043', amount: 1200, currency: 'eur' }, mark);
  const query = { request, operationId: mark.operationId, keys: KEYS, externalId: null, since: SINCE, ...changes };
  return provider.find?.(query);
}

function refundRequest(mark: { operationId: string; key: string }) {
  const provider = stripeRefunds({ connect: (config) => new Stripe('sk_test_1', config) });
  return provider.encode({ paymentIntent: 'pi_1043', amount: 1200, currency: 'eur' }, mark);
}

const FOUND = { externalId: 're_1', status: 'succeeded', key: KEY, mismatch: null };
const INCONCLUSIVE = { kind: 'inconclusive' };

describe('by the list of the payment’s refunds', () => {
  test('ours among others → found, complete', async () => {
    routes['/v1/refunds'] = [list([OTHER, OURS])];
    expect(await find()).toEqual({ kind: 'found', effects: [FOUND], complete: true });
    expect(asked).toEqual(['GET /v1/refunds?payment_intent=pi_1043&limit=100']);
  });

  test('two of ours → both found', async () => {
    const second = { ...OURS, id: 're_2', status: 'pending', metadata: { ...OURS.metadata, op_key: KEY_2 } };
    routes['/v1/refunds'] = [list([second, OURS])];
    expect(await find()).toEqual({
      kind: 'found',
      effects: [{ externalId: 're_2', status: 'pending', key: KEY_2, mismatch: null }, FOUND],
      complete: true,
    });
  });

  test.each([
    ['pending', 'pending'],
    ['requires_action', 'pending'],
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ])('status %s → %s', async (status, told) => {
    routes['/v1/refunds'] = [list([{ ...OURS, status }])];
    expect(await find()).toMatchObject({ kind: 'found', effects: [{ status: told }] });
  });

  test.each(['reversed', null])('status %s, which is not listed → inconclusive', async (status) => {
    routes['/v1/refunds'] = [list([{ ...OURS, status }])];
    expect(await find()).toMatchObject(INCONCLUSIVE);
  });

  test('an unlisted status beside another refund of ours → found, not complete', async () => {
    routes['/v1/refunds'] = [list([OURS, { ...OURS, id: 're_2', status: 'reversed' }])];
    expect(await find()).toEqual({ kind: 'found', effects: [FOUND], complete: false });
  });

  test('all pages are read', async () => {
    const others = Array.from({ length: 100 }, (_, n) => ({ ...OTHER, id: `re_o${n}` }));
    routes['/v1/refunds'] = [list(others, true), list([OTHER], true), list([OURS])];
    expect(await find()).toMatchObject({ kind: 'found', complete: true });
    expect(asked).toEqual([
      'GET /v1/refunds?payment_intent=pi_1043&limit=100',
      'GET /v1/refunds?payment_intent=pi_1043&limit=100&starting_after=re_o99',
      'GET /v1/refunds?payment_intent=pi_1043&limit=100&starting_after=re_9',
    ]);
  });

  test.each<[string, object, RegExp]>([
    ['another amount', { amount: 5 }, /^its amount is 5, not 1200$/],
    ['another currency', { currency: 'usd' }, /^its currency is usd, not eur$/],
    ['both', { amount: 5, currency: 'usd' }, /^its amount is 5, not 1200, its currency is usd, not eur$/],
  ])('our mark on %s → found, with the mismatch', async (_what, changes, mismatch) => {
    routes['/v1/refunds'] = [list([{ ...OURS, ...changes }])];
    expect(await find()).toMatchObject({ kind: 'found', effects: [{ mismatch: expect.stringMatching(mismatch) }] });
  });

  test('an earlier generation’s refund of another amount → found; its own request is not known here', async () => {
    const first = { ...OURS, amount: 5, status: 'failed' };
    routes['/v1/refunds'] = [list([first])];
    const mark = { operationId: 'refund-1043-li_2', key: KEY_2 };
    const request = refundRequest(mark);
    const evidence = await find({ request });
    expect(evidence).toMatchObject({ effects: [{ externalId: 're_1', status: 'failed', key: KEY, mismatch: null }] });
  });

  test('our mark under a key that is none of ours → found with that key', async () => {
    routes['/v1/refunds'] = [list([{ ...OURS, metadata: { ...OURS.metadata, op_key: 'x' } }])];
    expect(await find()).toMatchObject({ kind: 'found', effects: [{ key: 'x' }] });
  });

  test('our mark without a key → found, key null', async () => {
    routes['/v1/refunds'] = [list([{ ...OURS, metadata: { op_id: 'refund-1043-li_2' } }])];
    expect(await find()).toMatchObject({ kind: 'found', effects: [{ key: null, mismatch: null }] });
  });

  test('account and version are those of the stored request', async () => {
    await find({}, { account: 'acct_1', apiVersion: '2024-06-20' });
    for (const sent of headers) {
      expect(sent).toMatchObject({ 'stripe-account': 'acct_1', 'stripe-version': '2024-06-20', connection: 'close' });
      expect(sent).not.toHaveProperty('idempotency-key');
    }
  });
});

describe('where tenants share the account', () => {
  const shared = { sharedAccount: true };
  const marked = (op_key: string) => list([{ ...OURS, metadata: { op_id: 'refund-1043-li_2', op_key } }]);

  test.each([
    ['another tenant’s refund with our operation ID is not ours', 'hats~refund-1043-li_2', { kind: 'absent' }],
    ['a generation of ours that is not known is found', 'shop~refund-1043-li_2~9', { kind: 'found' }],
    ['ours is found', 'shop~refund-1043-li_2', { kind: 'found' }],
  ])('%s', async (_what, key, evidence) => {
    routes['/v1/refunds'] = [marked(key)];
    expect(await find({ keys: ['shop~refund-1043-li_2'] }, shared)).toMatchObject(evidence);
  });
});

describe('absence', () => {
  test('a complete empty list and no event of ours → absent', async () => {
    routes['/v1/refunds'] = [list([OTHER])];
    routes['/v1/events'] = [list([event({ key: 'another' })])];
    expect(await find()).toEqual({ kind: 'absent' });
    const from = SINCE / 1_000 - 600;
    expect(asked[1]).toBe(
      `GET /v1/events?types[0]=refund.created&types[1]=refund.updated&types[2]=refund.failed&created[gte]=${from}&limit=100`,
    );
  });

  test('the bound of the events is no reason to doubt the list', async () => {
    routes['/v1/events'] = Array.from({ length: 9 }, () => list([event({ key: 'another' })], true));
    expect(await find()).toEqual({ kind: 'absent' });
    expect(asked.filter((path) => path.includes('/v1/events'))).toHaveLength(5);
  });

  test.each<[string, Answer[]]>([
    ['page 1 fails with 500', [failing(500)]],
    ['S24 page 2 fails with 500', [list([OTHER], true), failing(500)]],
    ['S25 page 1 is a 503 with JSON without error', [failing(503, '{"message":"down"}')]],
    ['S25 page 1 is a 200 without data', [{ object: 'list', has_more: false }]],
    ['S25 page 2 is a 200 without data', [list([OTHER], true), { has_more: false }]],
    ['data is no array', [{ object: 'list', data: {}, has_more: false }]],
    ['has_more is missing', [{ object: 'list', data: [] }]],
    ['has_more is a text', [{ object: 'list', data: [], has_more: 'false' }]],
    ['has_more and no entry', [list([], true)]],
    ['the cursor leads back', [list([OTHER], true), list([OTHER], true)]],
    ['an entry is no refund', [list([{ ...OTHER, object: 'charge' }])]],
    ['an entry is null', [list([null])]],
    ['an entry has no amount', [list([{ ...OTHER, amount: undefined }])]],
    ['the filter was ignored', [list([{ ...OTHER, payment_intent: 'pi_2' }])]],
    ['another object', [{ object: 'search_result', data: [], has_more: false }]],
    ['an error beside an empty list', [{ ...list([]), error: 'x' }]],
    ['null', [(response) => response.end('null')]],
    ['{}', [{}]],
    ['HTML', [(response) => response.end('<html>')]],
    ['cut', [(response) => response.writeHead(200, { 'Content-Length': '500' }).write('{', () => response.destroy())]],
    ['no answer', [(response) => response.destroy()]],
    ['a redirect', [(response) => response.writeHead(302, { Location: '/v1/events' }).end()]],
    [
      'wrong account: 403',
      [failing(403, '{"error":{"type":"invalid_request_error","code":"account_invalid","message":"No."}}')],
    ],
    [
      'wrong account: the payment is not there',
      [failing(404, '{"error":{"type":"invalid_request_error","code":"resource_missing","message":"No."}}')],
    ],
    ['wrong key: 401', [failing(401, '{"error":{"type":"invalid_request_error","message":"No."}}')]],
    [
      'too many requests: 429',
      [failing(429, '{"error":{"type":"invalid_request_error","code":"rate_limit","message":"No."}}')],
    ],
    ['201', [failing(201, JSON.stringify(list([])))]],
  ])('the list is not to be trusted (%s) → inconclusive', async (_what, answers) => {
    routes['/v1/refunds'] = answers;
    const evidence = await find();
    expect(evidence).toMatchObject({ kind: 'inconclusive', why: expect.stringMatching(/^GET \/v1\/refunds: /) });
  });

  test.each([
    ['7', { retryAfterMs: 7_000 }],
    ['soon', {}],
  ])(
    'an answer that asks to be left alone (retry-after: %s) → reconciliation is told for how long',
    async (after, told) => {
      routes['/v1/refunds'] = [(response) => response.writeHead(429, { 'retry-after': after }).end('{}')];
      const why = "GET /v1/refunds: HTTP 429 without Stripe's JSON";
      expect(await find()).toEqual({ kind: 'inconclusive', why, ...told });
    },
  );

  test.each<[string, Answer[]]>([
    ['page 2 fails', [list([OURS], true), failing(500)]],
    ['page 2 is malformed', [list([OURS], true), {}]],
    ['another entry is malformed', [list([null, OURS])]],
    ['the filter was ignored', [list([{ ...OTHER, payment_intent: 'pi_2' }, OURS])]],
  ])('what was found is told although %s, as not complete', async (_what, answers) => {
    routes['/v1/refunds'] = answers;
    expect(await find()).toEqual({ kind: 'found', effects: [FOUND], complete: false });
  });

  test.each<[string, Answer[]]>([
    ['fail', [failing(500)]],
    ['may not be read', [failing(403, '{"error":{"type":"invalid_request_error","message":"No permission."}}')]],
    ['are malformed', [{}]],
    ['hold a charge', [list([event({ object: { object: 'charge' } })])]],
    ['hold what was not asked for', [list([event({ type: 'charge.refunded' })])]],
    ['fail on page 2', [list([event({})], true), failing(500)]],
  ])('the events %s → inconclusive', async (_what, answers) => {
    routes['/v1/events'] = answers;
    expect(await find()).toMatchObject({ kind: 'inconclusive', why: expect.stringMatching(/^GET \/v1\/events: /) });
  });

  test('a refused connection → inconclusive', async () => {
    const connect: StripeRefundsOptions['connect'] = (config) =>
      new Stripe('sk_test_1', { ...config, host: '127.0.0.1', port: 1, protocol: 'http' });
    expect(await find({}, { connect })).toMatchObject(INCONCLUSIVE);
  });

  test('a stored request that is none of ours → inconclusive, nothing asked', async () => {
    const request = { account: '', path: 'POST /v1/charges', version: '1', body: '' };
    expect(await find({ request })).toMatchObject(INCONCLUSIVE);
    expect(asked).toEqual([]);
  });

  test('a silent server → inconclusive after 10 s', async () => {
    routes['/v1/refunds'] = [() => {}];
    const started = performance.now();
    expect(await find()).toMatchObject(INCONCLUSIVE);
    expect(performance.now() - started).toBeGreaterThan(9_500);
    expect(asked).toHaveLength(1);
  });
});

describe('by events, where the list shows nothing', () => {
  const unmarked = { ...OURS, metadata: {} };

  test('created under our key, mark gone → found as it is now, under that key', async () => {
    routes['/v1/events'] = [list([event({ key: KEY_2, object: { status: 'pending' } })])];
    routes['/v1/refunds/re_1'] = [{ ...unmarked, status: 'failed' }];
    expect(await find()).toEqual({
      kind: 'found',
      effects: [{ externalId: 're_1', status: 'failed', key: KEY_2, mismatch: null }],
      complete: false,
    });
  });

  test('our mark on another payment → found, with the mismatch', async () => {
    const elsewhere = { ...OURS, payment_intent: 'pi_2' };
    routes['/v1/events'] = [list([event({ object: { ...elsewhere } })])];
    routes['/v1/refunds/re_1'] = [elsewhere];
    expect(await find()).toMatchObject({ effects: [{ key: KEY, mismatch: 'its payment is pi_2, not pi_1043' }] });
  });

  test('our key, but another operation’s mark → found, with the mismatch', async () => {
    routes['/v1/events'] = [list([event({ key: KEY })])];
    routes['/v1/refunds/re_1'] = [{ ...OURS, metadata: { op_id: 'refund-7' } }];
    expect(await find()).toMatchObject({ effects: [{ mismatch: 'its op_id is refund-7, not refund-1043-li_2' }] });
  });

  test('several events of one refund → one effect', async () => {
    routes['/v1/events'] = [list([event({ type: 'refund.updated', object: OURS }), event({ key: KEY })])];
    routes['/v1/refunds/re_1'] = [unmarked];
    expect(await find()).toMatchObject({ effects: [{ externalId: 're_1', key: KEY }] });
    expect(asked.filter((path) => path.includes('/re_1'))).toHaveLength(1);
  });

  test('found on page 1 although page 2 fails', async () => {
    routes['/v1/events'] = [list([event({ key: KEY })], true), failing(500)];
    routes['/v1/refunds/re_1'] = [unmarked];
    expect(await find()).toMatchObject({ kind: 'found', complete: false });
  });

  test.each<[string, Answer[]]>([
    ['cannot be read', [failing(500)]],
    ['is not there', []],
    ['is another one', [{ ...OURS, id: 're_2' }]],
    ['has a status that is not listed', [{ ...OURS, status: 'reversed' }]],
  ])('the refund that an event names %s → inconclusive, never absent', async (_what, answers) => {
    routes['/v1/events'] = [list([event({ key: KEY })])];
    routes['/v1/refunds/re_1'] = answers;
    expect(await find()).toMatchObject(INCONCLUSIVE);
  });

  test('old events with the request’s ID as text are read too', async () => {
    routes['/v1/events'] = [
      list([
        { ...event({}), request: 'req_1' },
        { ...event({}), request: null },
      ]),
    ];
    expect(await find()).toEqual({ kind: 'absent' });
  });
});

describe('by the refund’s number', () => {
  const byId = { externalId: 're_1' };

  test('ours → found; the other generations were not looked for', async () => {
    routes['/v1/refunds/re_1'] = [OURS];
    expect(await find(byId)).toEqual({ kind: 'found', effects: [FOUND], complete: false });
    expect(asked).toEqual(['GET /v1/refunds/re_1']);
  });

  test.each<[string, object, string]>([
    ['another amount', { amount: 5 }, 'its amount is 5, not 1200'],
    ['another mark', { metadata: { op_id: 'refund-7' } }, 'its op_id is refund-7, not refund-1043-li_2'],
    ['no mark', { metadata: null }, 'its op_id is missing, not refund-1043-li_2'],
  ])('%s → found, with the mismatch', async (_what, changes, mismatch) => {
    routes['/v1/refunds/re_1'] = [{ ...OURS, ...changes }];
    expect(await find(byId)).toMatchObject({ effects: [{ mismatch }] });
  });

  test.each<[string, Answer[]]>([
    ['not there', []],
    ['down', [failing(500)]],
    ['another refund', [{ ...OURS, id: 're_2' }]],
    ['no refund', [{ id: 're_1', object: 'charge' }]],
    ['a status that is not listed', [{ ...OURS, status: 'x' }]],
  ])('%s → inconclusive', async (_what, answers) => {
    routes['/v1/refunds/re_1'] = answers;
    expect(await find(byId)).toMatchObject(INCONCLUSIVE);
  });
});
