// Needs nothing: the fake Stripe's control over HTTP.
import { request } from 'node:http';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';

const NOON = Date.UTC(2026, 10, 30, 12, 0, 0);

let fake: FakeStripe;

beforeEach(async () => {
  fake = await startFakeStripe({ now: () => NOON });
});
afterEach(() => fake.close());

async function control(method: string, path: string, value?: unknown, headers: Record<string, string> = {}) {
  const body = value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);
  const response = await fetch(`${fake.url}/_fake/${path}`, { method, body, headers });
  return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
}

const refund = (key: string) =>
  fetch(`${fake.url}/v1/refunds`, {
    method: 'POST',
    body: 'payment_intent=pi_1&amount=10',
    headers: {
      Authorization: 'Bearer sk_test_fake',
      'Content-Type': 'application/x-www-form-urlencoded',
      'Idempotency-Key': key,
    },
  });

test('payments are added, runs started and the report read from outside', async () => {
  const payment = await control('POST', 'payments', { id: 'pi_1', amount: 1_000, currency: 'usd' });
  expect(payment).toMatchObject({ status: 201, id: 'pi_1', charge: expect.stringMatching(/^ch_/), amount: 1_000 });
  await refund('key-1');
  await control('POST', 'runs');
  await refund('key-2');
  expect(await control('GET', 'report')).toEqual({ status: 200, ...JSON.parse(JSON.stringify(fake.report())) });
  expect(await control('GET', 'report?scope=all')).toMatchObject({ effects: [{ key: 'key-1' }, { key: 'key-2' }] });
});

test('the clock moves on', async () => {
  expect(await control('POST', 'clock', { advanceMs: 60_000 })).toEqual({ status: 200, now: NOON + 60_000 });
  expect(fake.now()).toBe(NOON + 60_000);
});

test('a fault is armed, and all are ended and released together', async () => {
  await control('POST', 'payments', { id: 'pi_1', amount: 1_000, currency: 'usd' });
  expect(await control('POST', 'faults', { route: 'create', kind: 'hold-answer', times: 5 })).toMatchObject({
    status: 201,
    id: 1,
  });
  const held = new Promise((resolve) => fake.onEvent(({ kind }) => kind === 'held' && resolve(kind)));
  const call = refund('key-1');
  await held;
  expect(await control('DELETE', 'faults')).toEqual({ status: 200 });
  expect((await call).status).toBe(200);
  expect((await refund('key-2')).status).toBe(200);
});

test.each<[string, string, unknown, string]>([
  ['POST', 'clock', { advanceMs: -1 }, 'advanceMs must be a whole number of at least 0'],
  ['POST', 'clock', { advanceMs: '5' }, 'advanceMs must be a whole number'],
  ['POST', 'clock', {}, 'advanceMs is missing'],
  ['POST', 'clock', 'no json', 'not JSON'],
  ['POST', 'clock', [], 'must be an object'],
  ['POST', 'faults', { route: 'create', kind: 'explode' }, 'kind must be one of drop-request'],
  ['POST', 'faults', null, 'must be an object'],
  ['POST', 'payments', { amount: 5 }, 'currency is missing'],
  ['POST', 'payments', { amount: 5, currency: 'usd', id: 'x' }, 'id must look like'],
  ['GET', 'report?scope=today', undefined, 'scope must be one of'],
])('bad input is 400 and says what is wrong: %s %s %j', async (method, path, value, message) => {
  expect(await control(method, path, value)).toEqual({ status: 400, error: expect.stringContaining(message) });
});

test('a clock that was refused has not moved', async () => {
  await control('POST', 'clock', { advanceMs: 1_000, hurry: true });
  expect(fake.now()).toBe(NOON);
});

test('an unknown command is 404', async () => {
  expect(await control('POST', 'explode', {})).toMatchObject({ status: 404 });
});

test('a page in a browser reaches nothing: neither with its origin nor by a name of its own', async () => {
  const evil = await control('POST', 'clock', { advanceMs: 1 }, { Origin: 'https://evil.example' });
  expect(evil).toMatchObject({ status: 403 });
  const rebound = await new Promise<number | undefined>((resolve) => {
    const sent = request(`${fake.url}/_fake/report`, { headers: { Host: 'evil.example' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.end();
  });
  expect(rebound).toBe(403);
  expect(fake.now()).toBe(NOON);
});

test('the control is no send and no query: it is not counted', async () => {
  await control('GET', 'report');
  expect(fake.report().totals).toEqual({ effects: 0, sends: 0 });
});
