// Needs nothing but a local port.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import type { StoredRequest } from '../../src/operations/request';
import { type StripeClient, type StripeRefundsOptions, stripeRefunds } from '../../src/providers/stripe';

const MARK = { operationId: 'refund-1043-li_2', key: 'refund-1043-li_2' };
const METADATA = { 'größe ': 'ä&b=c +😀' };
const DEADLINE = { remainingMs: () => 5_000 };

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

let server: Server;
let port: number;
let seen: Seen[] = [];
let answer: { status: number; headers?: Record<string, string>; body: string };

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('latin1')) body += chunk;
    const { method = '', url = '', headers, rawHeaders } = request;
    seen.push({ method, path: url, headers, rawHeaders, body });
    response.writeHead(answer.status, { 'Request-Id': 'req_1', ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  seen = [];
  answer = { status: 200, body: refund() };
});

function refund(): string {
  return JSON.stringify({
    ...{ id: 're_1', object: 'refund', amount: 1200, currency: 'eur', payment_intent: 'pi_1043', status: 'pending' },
    metadata: { op_id: MARK.operationId, op_key: MARK.key, op_currency: 'eur' },
  });
}

const wrapped =
  (wrap: (client: Stripe) => StripeClient): StripeRefundsOptions['connect'] =>
  (config) =>
    wrap(new Stripe('sk_test_1', { ...config, host: '127.0.0.1', port, protocol: 'http' }));

function provider(options: Partial<StripeRefundsOptions> = {}) {
  return stripeRefunds({ connect: wrapped((client) => client), ...options });
}

function encoded(options: Partial<StripeRefundsOptions> = {}): StoredRequest {
  return provider(options).encode(
    { paymentIntent: 'pi_1043', amount: 1200, currency: 'eur', metadata: METADATA },
    MARK,
  );
}

const send = (request: StoredRequest, options: Partial<StripeRefundsOptions> = {}) =>
  provider(options).send({ ...MARK, request, deadline: DEADLINE });

test('the stored text leaves byte for byte, on every attempt', async () => {
  const request = encoded();
  await send(request);
  await send(JSON.parse(JSON.stringify(request)));
  expect(seen.map(({ body }) => body)).toEqual([request.body, request.body]);
  expect(seen[0]?.headers['content-length']).toBe(String(Buffer.byteLength(request.body)));
});

test('the stored text wins over what the SDK would write', async () => {
  // As an older release may have stored it: another order, another spelling.
  const body = `amount=1200&${encoded().body.replace('&amount=1200', '').replaceAll('[', '%5B').replaceAll(']', '%5D')}`;
  await send({ ...encoded(), body });
  expect(seen[0]?.body).toBe(body);
});

test('the SDK is shown the same text, for an authenticator that signs it', async () => {
  const shown: string[] = [];
  const connect: StripeRefundsOptions['connect'] = (config) =>
    new Stripe('', {
      ...config,
      ...{ host: '127.0.0.1', port, protocol: 'http' },
      authenticator: async (request) => {
        request.headers['Authorization'] = 'Signature x';
        shown.push(request.body);
      },
    });
  await send(encoded(), { connect });
  expect(shown).toEqual([encoded().body]);
  expect(seen[0]?.headers.authorization).toBe('Signature x');
});

test('exactly these headers leave', async () => {
  await send(encoded({ account: 'acct_1' }));
  const { headers, method, path } = seen[0] as Seen;
  expect({ method, path }).toEqual({ method: 'POST', path: '/v1/refunds' });
  expect(headers).toEqual({
    accept: 'application/json',
    authorization: 'Bearer sk_test_1',
    connection: 'close',
    'content-length': String(Buffer.byteLength(encoded().body)),
    'content-type': 'application/x-www-form-urlencoded',
    host: `127.0.0.1:${port}`,
    'idempotency-key': MARK.key,
    'stripe-account': 'acct_1',
    'stripe-version': '2026-10-28.endive',
    'user-agent': expect.stringContaining('Stripe/v1 NodeBindings/'),
    'x-stripe-client-user-agent': expect.stringContaining('"httplib":"sendonce"'),
  });
  const names = (seen[0] as Seen).rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  expect(new Set(names).size).toBe(names.length);
});

test('account, version and key are those of the stored request, whatever the options say now', async () => {
  await send(encoded({ apiVersion: '2024-06-20' }), { account: 'acct_2' });
  expect(seen[0]?.headers).toMatchObject({ 'stripe-version': '2024-06-20', 'idempotency-key': MARK.key });
  expect(seen[0]?.headers).not.toHaveProperty('stripe-account');
});

test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed → unknown', async (status) => {
  answer = { status, headers: { Location: `http://127.0.0.1:${port}/elsewhere` }, body: refund() };
  expect(await send(encoded())).toMatchObject({ kind: 'unknown', receipt: { httpStatus: status } });
  expect(seen).toHaveLength(1);
});

test.each([
  [409, 'invalid_request_error'],
  [500, 'api_error'],
  [503, 'api_error'],
])('%i is not sent again, even where Stripe asks for it', async (status, type) => {
  answer = {
    status,
    headers: { 'Stripe-Should-Retry': 'true' },
    body: JSON.stringify({ error: { type, message: '' } }),
  };
  await send(encoded());
  await sleep(900);
  expect(seen).toHaveLength(1);
});

test('a client that calls twice sends once', async () => {
  const connect = wrapped(
    (client) =>
      new Proxy(client, {
        get: (target, name) =>
          name === 'rawRequest'
            ? async (...args: Parameters<Stripe['rawRequest']>) => {
                await target.rawRequest(...args).catch(() => {});
                return target.rawRequest(...args);
              }
            : Reflect.get(target, name, target),
      }) as unknown as StripeClient,
  );
  expect(await send(encoded(), { connect })).toMatchObject({ kind: 'accepted' });
  await sleep(100);
  expect(seen).toHaveLength(1);
});

const instead = (rawRequest: StripeClient['rawRequest']) =>
  wrapped((client) => ({
    rawRequest,
    getApiField: (name) => client.getApiField(name),
    getTelemetryEnabled: () => client.getTelemetryEnabled(),
  }));

test.each<[string, StripeClient['rawRequest']]>([
  ['answers', async () => JSON.parse(refund())],
  ['fails', () => Promise.reject(new Error('connect ECONNREFUSED'))],
  [
    'throws',
    () => {
      throw new Error('broken');
    },
  ],
])('a client that %s without our HTTP client → unknown, since it may have sent by another way', async (_what, raw) => {
  expect(await send(encoded(), { connect: instead(raw) })).toMatchObject({ kind: 'unknown', resend: 'allowed' });
});

test('a client that asks for another path → not-submitted, nothing sent', async () => {
  const connect = wrapped((client) => ({
    rawRequest: (method, _path, ...rest) => client.rawRequest(method, '/v1/charges', ...rest),
    getApiField: (name) => client.getApiField(name),
    getTelemetryEnabled: () => client.getTelemetryEnabled(),
  }));
  expect(await send(encoded(), { connect })).toMatchObject({ kind: 'not-submitted' });
  expect(seen).toEqual([]);
});

test('a client that never comes → unknown at the deadline, and later it cannot send any more', async () => {
  let late: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    late = resolve;
  });
  const connect: StripeRefundsOptions['connect'] = (config) =>
    new Stripe('', {
      ...config,
      ...{ host: '127.0.0.1', port, protocol: 'http' },
      authenticator: () => gate,
    });
  const end = performance.now() + 200;
  const deadline = { remainingMs: () => end - performance.now() };
  const outcome = await provider({ connect }).send({ ...MARK, request: encoded(), deadline });
  expect(outcome).toMatchObject({ kind: 'unknown', why: expect.stringContaining('did not reach its HTTP client') });
  late();
  await sleep(100);
  expect(seen).toEqual([]);
});

test('two sends at once do not mix', async () => {
  const other = { operationId: 'refund-2', key: 'refund-2' };
  const one = provider();
  const second = one.encode({ paymentIntent: 'pi_2', amount: 5, currency: 'usd' }, other);
  await Promise.all([
    one.send({ ...MARK, request: encoded(), deadline: DEADLINE }),
    one.send({ ...other, request: second, deadline: DEADLINE }),
  ]);
  const sent = seen.map(({ headers, body }) => [headers['idempotency-key'], body]);
  expect(sent.sort()).toEqual(
    [
      [MARK.key, encoded().body],
      ['refund-2', second.body],
    ].sort(),
  );
});

test.each<[string, (request: StoredRequest) => StoredRequest]>([
  ['another path', (request) => ({ ...request, path: 'POST /v1/charges' })],
  ['another operation', (request) => ({ ...request, body: request.body.replaceAll('1043-li_2', '7') })],
  ['an amount that is none', (request) => ({ ...request, body: request.body.replace('amount=1200', 'amount=') })],
  ['an amount that stands twice', (request) => ({ ...request, body: `${request.body}&amount=5` })],
  ['no currency', (request) => ({ ...request, body: request.body.replace('metadata[op_currency]=eur&', '') })],
])('a stored request with %s → not-submitted, nothing sent', async (_what, change) => {
  expect(await send(change(encoded()))).toMatchObject({ kind: 'not-submitted', why: expect.stringMatching(/^Bug: /) });
  expect(seen).toEqual([]);
});
