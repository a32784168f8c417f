// Needs nothing but a local port: a raw server that answers every request with the bytes of the row.
import { createServer, type Server, type Socket } from 'node:net';
import Stripe from 'stripe';
import type { Outcome } from '../../src/operations/outcome';
import { stripeRefunds } from '../../src/providers/stripe';

const OURS = {
  id: 're_7f3a',
  object: 'refund',
  amount: 1200,
  charge: 'ch_1',
  created: 1_790_000_000,
  currency: 'eur',
  metadata: { op_id: 'refund-1043-li_2', op_key: 'refund-1043-li_2', op_currency: 'eur', note: 'x' },
  payment_intent: 'pi_1043',
  reason: null,
  status: 'succeeded',
};
const ours = (changes: object) => JSON.stringify({ ...OURS, ...changes });
const error = (body: object) => JSON.stringify({ error: { type: 'invalid_request_error', message: 'No.', ...body } });

let server: Server;
let reply = '';
let connections = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    afterRequest(socket, () => socket.end(Buffer.from(reply, 'latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

function afterRequest(socket: Socket, then: () => void): void {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const head = text.indexOf('\r\n\r\n');
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    if (head >= 0 && text.length >= head + 4 + Number(length ?? 0)) then();
  });
}

function http(status: number, body: string, headers: Record<string, string> = {}): string {
  const bytes = Buffer.from(body, 'utf8');
  const all = {
    'Content-Type': 'application/json',
    'Request-Id': 'req_1',
    'Content-Length': `${bytes.length}`,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n${bytes.toString('latin1')}`;
}

const REPLAYED = { 'Idempotent-Replayed': 'true' };

async function outcomeOf(bytes: string): Promise<Outcome> {
  const { port } = server.address() as { port: number };
  const provider = stripeRefunds({
    connect: (config) => new Stripe('sk_test_abcdef123456', { ...config, host: '127.0.0.1', port, protocol: 'http' }),
  });
  const mark = { operationId: 'refund-1043-li_2', key: 'refund-1043-li_2' };
  const request = provider.encode({ paymentIntent: 'pi_1043', amount: 1200, currency: 'eur' }, mark);
  reply = bytes;
  connections = 0;
  return provider.send({ ...mark, request, deadline: { remainingMs: () => 5_000 } });
}

type Expected = Partial<
  Record<'kind' | 'covers' | 'code' | 'externalId' | 'replayed' | 'status' | 'resend' | 'alarm', unknown>
>;
const CONFIRMED = { kind: 'confirmed', externalId: 're_7f3a' };
const ACCEPTED = { kind: 'accepted', externalId: 're_7f3a', replayed: false };
const STALE = { kind: 'accepted', externalId: 're_7f3a', replayed: true };
const FAILED = { kind: 'rejected', covers: 'all', externalId: 're_7f3a' };
const REFUSED = { kind: 'rejected', covers: 'attempt', externalId: null };
const REFUSED_FOR_GOOD = { kind: 'rejected', covers: 'all', externalId: null };
const NOT_SUBMITTED = { kind: 'not-submitted' };
const ALLOWED = { kind: 'unknown', resend: 'allowed' };
const POINTLESS = { kind: 'unknown', resend: 'pointless' };
const ALARM = { kind: 'unknown', resend: 'unsafe', alarm: expect.stringMatching(/^Stripe (answered|knows) our key/) };

const TABLE: readonly (readonly [row: string, answer: string, outcome: Expected])[] = [
  ['no answer: the server closes without a byte → unknown', '', ALLOWED],
  ['S1 200 succeeded → confirmed', http(200, ours({})), CONFIRMED],
  ['S1 in chunks → confirmed', chunked(ours({})), CONFIRMED],
  ['S1 Idempotent-Replayed: false → confirmed', http(200, ours({}), { 'Idempotent-Replayed': 'false' }), CONFIRMED],
  ['S2 200 pending → accepted', http(200, ours({ status: 'pending' })), ACCEPTED],
  ['S2 200 requires_action → accepted', http(200, ours({ status: 'requires_action' })), ACCEPTED],
  [
    'S3 200 failed from the start → rejected, all',
    http(200, ours({ status: 'failed', failure_reason: 'declined' })),
    { ...FAILED, code: 'declined' },
  ],
  ['S3 200 canceled from the start → rejected, all', http(200, ours({ status: 'canceled' })), FAILED],
  ['S4 replayed succeeded → accepted, read again', http(200, ours({}), REPLAYED), { ...STALE, status: 'succeeded' }],
  [
    'S4 replayed pending → accepted, read again',
    http(200, ours({ status: 'pending' }), REPLAYED),
    { ...STALE, status: 'pending' },
  ],
  [
    'S4 replayed failed → accepted, read again',
    http(200, ours({ status: 'failed' }), REPLAYED),
    { ...STALE, status: 'failed' },
  ],
  ['S4 replayed, of a status that is not listed → accepted', http(200, ours({ status: 'x' }), REPLAYED), STALE],
  ['S4 unclear replay header → accepted, read again', http(200, ours({}), { 'Idempotent-Replayed': 'maybe' }), STALE],
  ['S5 200 {} → unknown', http(200, '{}'), ALLOWED],
  ['S5 200 another kind of object → unknown', http(200, ours({ object: 'charge' })), ALLOWED],
  ['S5 200 without id → unknown', http(200, ours({ id: undefined })), ALLOWED],
  ['S5 200 with an empty id → unknown', http(200, ours({ id: '' })), ALLOWED],
  ['S5 200 with the amount as text → unknown', http(200, ours({ amount: '1200' })), ALLOWED],
  ['S5 200 list with our refund in it → unknown', http(200, JSON.stringify({ object: 'list', data: [OURS] })), ALLOWED],
  ['S5 200 array with our refund in it → unknown', http(200, JSON.stringify([OURS])), ALLOWED],
  ['S6 200 null → unknown', http(200, 'null'), ALLOWED],
  ['S7 200 cut JSON of full length → unknown', http(200, ours({}).slice(0, -1)), ALLOWED],
  ['S7 200 HTML → unknown', http(200, '<html>OK</html>'), ALLOWED],
  ['S7 200 empty → unknown', http(200, ''), ALLOWED],
  ['S7 204 → unknown', 'HTTP/1.1 204 No Content\r\nRequest-Id: req_1\r\n\r\n', ALLOWED],
  ['S7 200 our refund twice → unknown', http(200, ours({}) + ours({})), ALLOWED],
  ['S7 200 not UTF-8 → unknown', http(200, '?').replace('?', '\xff'), ALLOWED],
  ['S8 502 HTML → unknown', http(502, '<html>Bad gateway</html>'), ALLOWED],
  ['S8 503 HTML → unknown', http(503, '<html>'), ALLOWED],
  ['S8 504 HTML → unknown', http(504, '<html>'), ALLOWED],
  ['S9 502 JSON without error → unknown', http(502, '{"message":"bad gateway"}'), ALLOWED],
  ['S9 504 with our refund → unknown', http(504, ours({})), ALLOWED],
  ['S9 404 JSON without error → unknown', http(404, '{"message":"no route"}'), ALLOWED],
  ['S9 302 with our refund → unknown', http(302, ours({}), { Location: '/v1/refunds' }), ALLOWED],
  ['S9 201 with our refund → unknown', http(201, ours({})), ALLOWED],
  [
    'S10 400 validation → rejected, attempt',
    http(400, error({ code: 'parameter_invalid_integer' })),
    {
      ...REFUSED,
      code: 'parameter_invalid_integer',
    },
  ],
  ['S10 replayed → rejected, all', http(400, error({}), REPLAYED), REFUSED_FOR_GOOD],
  ['S10 with an unclear replay header → unknown', http(400, error({}), { 'Idempotent-Replayed': '1' }), POINTLESS],
  ['S10 Stripe-Should-Retry: true → unknown', http(400, error({}), { 'Stripe-Should-Retry': 'true' }), ALLOWED],
  ['S10 400 without type → unknown', http(400, '{"error":{"message":"No."}}'), ALLOWED],
  ['S10 400 with a text as error → unknown', http(400, '{"error":"invalid_request"}'), ALLOWED],
  ['S10 400 of an unlisted type → unknown', http(400, error({ type: 'tax_error' })), ALLOWED],
  ['S10 400 api_error → unknown', http(400, error({ type: 'api_error' })), ALLOWED],
  [
    'S11 400 charge_already_refunded → rejected, attempt',
    http(400, error({ code: 'charge_already_refunded' })),
    {
      ...REFUSED,
      code: 'charge_already_refunded',
    },
  ],
  ['S11 replayed → rejected, all', http(400, error({ code: 'charge_already_refunded' }), REPLAYED), REFUSED_FOR_GOOD],
  [
    'S12 400 over-refund without code → rejected, attempt',
    http(400, error({ message: 'Refund amount ($12.00) is greater than unrefunded amount on charge ($5.00)' })),
    { ...REFUSED, code: 'amount_too_large' },
  ],
  ['S13 400 idempotency_error → unknown, an alarm', http(400, error({ type: 'idempotency_error' })), ALARM],
  ['S13 replayed → unknown, an alarm', http(400, error({ type: 'idempotency_error' }), REPLAYED), ALARM],
  [
    'S13 by its words → unknown, an alarm',
    http(400, error({ message: 'Keys for idempotent requests can only be used with the same parameters' })),
    ALARM,
  ],
  [
    'S14 401 → not-submitted',
    http(401, error({ message: 'Invalid API Key provided: sk_test_***3456' })),
    NOT_SUBMITTED,
  ],
  ['S14 403 → not-submitted', http(403, error({})), NOT_SUBMITTED],
  ['S14 403 wrong account → not-submitted', http(403, error({ code: 'account_invalid' })), NOT_SUBMITTED],
  ['S14 400 wrong account → not-submitted', http(400, error({ code: 'account_invalid' })), NOT_SUBMITTED],
  ['S14 401 HTML → unknown', http(401, '<html>'), ALLOWED],
  ['S14 403 JSON of somebody else → unknown', http(403, '{"message":"Forbidden"}'), ALLOWED],
  ['S14 replayed 401 → unknown, pointless', http(401, error({}), REPLAYED), POINTLESS],
  ['S14 replayed 403 → unknown, pointless', http(403, error({}), REPLAYED), POINTLESS],
  [
    'S15 402 card_error → rejected, all',
    http(402, error({ type: 'card_error', code: 'expired_card' })),
    {
      ...REFUSED_FOR_GOOD,
      code: 'expired_card',
    },
  ],
  ['S15 402 invalid_request_error → rejected, all', http(402, error({})), REFUSED_FOR_GOOD],
  ['S15 replayed → rejected, all', http(402, error({ type: 'card_error' }), REPLAYED), REFUSED_FOR_GOOD],
  ['S15 402 api_error → unknown', http(402, error({ type: 'api_error' })), ALLOWED],
  ['S15 402 HTML → unknown', http(402, '<html>'), ALLOWED],
  [
    'S16 404 resource_missing → rejected, attempt',
    http(404, error({ code: 'resource_missing' })),
    {
      ...REFUSED,
      code: 'resource_missing',
    },
  ],
  [
    'S16 replayed → rejected, attempt: another account may have said it',
    http(404, error({ code: 'resource_missing' }), REPLAYED),
    REFUSED,
  ],
  [
    'S16 with an unclear replay header → unknown',
    http(404, error({ code: 'resource_missing' }), { 'Idempotent-Replayed': '1' }),
    POINTLESS,
  ],
  [
    'S16 the key of the other mode → not-submitted',
    http(
      404,
      error({
        code: 'resource_missing',
        message:
          "No such payment_intent: 'pi_1043'; a similar object exists in live mode, but a test mode key was used to make this request.",
      }),
    ),
    NOT_SUBMITTED,
  ],
  ['S16 404 unrecognized URL → unknown', http(404, error({ message: 'Unrecognized request URL' })), ALLOWED],
  [
    'S17 409 idempotency_key_in_use → unknown, allowed',
    http(409, error({ type: 'idempotency_error', code: 'idempotency_key_in_use' })),
    ALLOWED,
  ],
  ['S17 as invalid_request_error → unknown, allowed', http(409, error({ code: 'idempotency_key_in_use' })), ALLOWED],
  ['S17 with 400 → unknown, allowed', http(400, error({ code: 'idempotency_key_in_use' })), ALLOWED],
  ['S17 another 409 → unknown', http(409, error({})), ALLOWED],
  ['S18 409 lock_timeout → not-submitted', http(409, error({ code: 'lock_timeout' })), NOT_SUBMITTED],
  ['S18 429 lock_timeout → not-submitted', http(429, error({ code: 'lock_timeout' })), NOT_SUBMITTED],
  ['S18 replayed → unknown, pointless', http(409, error({ code: 'lock_timeout' }), REPLAYED), POINTLESS],
  ['S19 429 rate_limit → not-submitted', http(429, error({ code: 'rate_limit' })), NOT_SUBMITTED],
  ['S19 400 rate_limit → not-submitted', http(400, error({ code: 'rate_limit' })), NOT_SUBMITTED],
  ['S19 429 HTML → unknown', http(429, '<html>Slow down</html>'), ALLOWED],
  ['S19 429 api_error → unknown', http(429, error({ type: 'api_error' })), ALLOWED],
  ['S19 replayed → unknown, pointless', http(429, error({ code: 'rate_limit' }), REPLAYED), POINTLESS],
  ['S20 424 → unknown', http(424, error({ code: 'whatever' })), ALLOWED],
  ['S21 500 → unknown, pointless (it is stored)', http(500, error({ type: 'api_error' })), POINTLESS],
  ['S21 replayed 500 → unknown, pointless', http(500, error({ type: 'api_error' }), REPLAYED), POINTLESS],
  ['S21 500 invalid_request_error → unknown', http(500, error({})), ALLOWED],
  ['S21 503 → unknown, allowed', http(503, error({ type: 'api_error' })), ALLOWED],
  ['S21 replayed 503 → unknown, pointless', http(503, error({ type: 'api_error' }), REPLAYED), POINTLESS],
  [
    'S22 500 Stripe-Should-Retry: false → unknown, pointless',
    http(500, error({}), { 'Stripe-Should-Retry': 'false' }),
    POINTLESS,
  ],
  [
    'S22 500 Stripe-Should-Retry: true → unknown, allowed',
    http(500, error({ type: 'api_error' }), { 'Stripe-Should-Retry': 'true' }),
    ALLOWED,
  ],
  ['S23 200 with an error → unknown', http(200, error({})), ALLOWED],
  ['S23 200 with an error beside our refund → unknown', http(200, ours({ error: { type: 'card_error' } })), ALLOWED],
  ['S23 200 with error: null beside our refund → unknown', http(200, ours({ error: null })), ALLOWED],
  ['mismatch: another payment → unknown, an alarm', http(200, ours({ payment_intent: 'pi_2' })), ALARM],
  ['mismatch: no payment → unknown, an alarm', http(200, ours({ payment_intent: null })), ALARM],
  ['mismatch: another amount → unknown, an alarm', http(200, ours({ amount: 1201 })), ALARM],
  ['mismatch: another currency → unknown, an alarm', http(200, ours({ currency: 'usd' })), ALARM],
  [
    'mismatch: another op_id → unknown, an alarm',
    http(200, ours({ metadata: { ...OURS.metadata, op_id: 'refund-1' } })),
    ALARM,
  ],
  [
    'mismatch: another op_key → unknown, an alarm',
    http(200, ours({ metadata: { ...OURS.metadata, op_key: 'k~2' } })),
    ALARM,
  ],
  ['mismatch: no metadata → unknown, an alarm', http(200, ours({ metadata: null })), ALARM],
  ['mismatch: replayed → unknown, an alarm', http(200, ours({ amount: 1 }), REPLAYED), ALARM],
  ['mismatch: failed → unknown, an alarm', http(200, ours({ status: 'failed', amount: 1 })), ALARM],
  ['unlisted status → unknown', http(200, ours({ status: 'reversed' })), POINTLESS],
  ['status null → unknown', http(200, ours({ status: null })), POINTLESS],
  ['cut: shorter than its length → unknown', http(200, ours({}), { 'Content-Length': '5000' }), ALLOWED],
  ['cut: chunks without an end → unknown', chunked(ours({})).slice(0, -5), ALLOWED],
  ['cut: a refusal shorter than its length → unknown', http(402, error({}), { 'Content-Length': '5000' }), ALLOWED],
  ['cut: 401 shorter than its length → unknown', http(401, error({}), { 'Content-Length': '5000' }), ALLOWED],
  ['cut: a close-delimited body → unknown', closeDelimited(ours({}).slice(0, -20)), ALLOWED],
  ['a whole close-delimited body → confirmed', closeDelimited(ours({})), CONFIRMED],
  ['not HTTP → unknown', 'SSH-2.0-OpenSSH_9.2\r\n', ALLOWED],
  ['a head without an end → unknown', 'HTTP/1.1 200 OK\r\nContent-Le', ALLOWED],
  ['only 100 Continue → unknown', 'HTTP/1.1 100 Continue\r\n\r\n', ALLOWED],
  ['101 Switching Protocols → unknown', 'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', ALLOWED],
  ['103 and then S1 → confirmed', `HTTP/1.1 103 Early Hints\r\n\r\n${http(200, ours({}))}`, CONFIRMED],
  ['two lengths → unknown', http(200, ours({}), { 'content-length': '3' }), ALLOWED],
  ['longer than an answer can be → unknown', http(200, ours({ note: 'x'.repeat(1_100_000) })), ALLOWED],
];

test.each(TABLE)('%s', async (_row, answer, expected) => {
  expect(await outcomeOf(answer)).toMatchObject(expected);
  expect(connections).toBe(1);
});

describe('cut at any byte → unknown', () => {
  test.each([
    ['S1', http(200, ours({}))],
    ['S1 in chunks', chunked(ours({}))],
    ['S1 close-delimited', closeDelimited(ours({}))],
    ['S3', http(200, ours({ status: 'failed' }))],
    ['S10', http(400, error({}))],
    ['S14', http(401, error({}))],
    ['S14 close-delimited', closeDelimited(error({})).replace('200 OK', '401 X')],
    ['S15 in chunks', chunked(error({ type: 'card_error' })).replace('200 OK', '402 X')],
  ])('%s', async (_row, answer) => {
    // Every seventh byte, and every one of the last 25: all of them take 20 s, and gave the same.
    for (let length = 0; length < answer.length; length += answer.length - length > 25 ? 7 : 1) {
      const { kind } = await outcomeOf(answer.slice(0, length));
      if (kind !== 'unknown') throw new Error(`${kind} after ${length} of ${answer.length} bytes`);
    }
    expect(await outcomeOf(answer)).not.toMatchObject({ kind: 'unknown' });
  });
});

test('every row of the provider table S1 to S23 is here', () => {
  const rows = TABLE.map(([row]) => row.split(' ')[0]);
  for (let row = 1; row <= 23; row++) expect(rows).toContain(`S${row}`);
});

test('a receipt keeps request ID, status and a short detail, and no secret', async () => {
  const message = 'Invalid API Key provided: sk_test_abcdef123456, Authorization: Bearer rk_live_zzz, pi_1_secret_abc.';
  const outcome = await outcomeOf(http(401, error({ message })));
  expect(outcome.receipt).toMatchObject({ requestId: 'req_1', httpStatus: 401 });
  expect(JSON.stringify(outcome)).toContain('Invalid API Key provided: [secret]');
  expect(JSON.stringify(outcome)).not.toMatch(/abcdef123456|rk_live|secret_abc/);
});

test("a receipt of a refund keeps the fields it was judged by, and not a customer's", async () => {
  const outcome = await outcomeOf(http(200, ours({ instructions_email: 'a@example.com' })));
  expect(JSON.parse(outcome.receipt.detail)).toEqual({
    ...{ id: 're_7f3a', object: 'refund', status: 'succeeded', amount: 1200, currency: 'eur' },
    ...{ payment_intent: 'pi_1043', op_id: 'refund-1043-li_2', op_key: 'refund-1043-li_2' },
  });
});

test('a receipt of a foreign page keeps its beginning', async () => {
  const outcome = await outcomeOf(http(502, `<html>\n  Bad gateway ${'x'.repeat(5_000)}`));
  expect(outcome.receipt.detail).toMatch(/^<html> Bad gateway x+… \(\d+ characters\)$/);
  expect(outcome.receipt.detail.length).toBeLessThan(500);
});

test('a cut answer keeps its request ID and status', async () => {
  const outcome = await outcomeOf(http(200, ours({}), { 'Content-Length': '5000' }));
  expect(outcome.receipt).toMatchObject({ requestId: 'req_1', httpStatus: 200 });
});

function chunked(body: string): string {
  const size = Buffer.byteLength(body).toString(16);
  return `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nRequest-Id: req_1\r\n\r\n${size}\r\n${body}\r\n0\r\n\r\n`;
}

function closeDelimited(body: string): string {
  return `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${body}`;
}
