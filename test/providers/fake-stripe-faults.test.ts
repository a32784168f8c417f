// Needs nothing: the fake Stripe and the real SDK, over loopback.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import Stripe from 'stripe';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import type { Fault } from '../../src/testing/fake-stripe/fault';
import type { Happening } from '../../src/testing/fake-stripe/narration';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';

const NOON = Date.UTC(2026, 10, 30, 12, 0, 0);

let fake: FakeStripe;
let happenings: Happening[];

beforeEach(async () => {
  fake = await startFakeStripe({ now: () => NOON });
  fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
  happenings = [];
  fake.onEvent((happening) => happenings.push(happening));
});
afterEach(() => fake.close());

/**
 * A client with that many retries of its own. With 0 the SDK still resends once after ECONNRESET, so a test of one try
 * gives the error another name on its way (stripe/stripe-node#2808).
 */
function client(maxNetworkRetries = 0): Stripe {
  const { host, port, protocol } = fake;
  const httpAgent = new Agent({ keepAlive: false });
  const inner = Stripe.createNodeHttpClient(httpAgent);
  const makeRequest = inner.makeRequest.bind(inner);
  if (maxNetworkRetries === 0) {
    inner.makeRequest = (...args) =>
      makeRequest(...args).catch((cause: Error) => {
        throw Object.assign(new Error(cause.message, { cause }), { code: 'ONE_TRY' });
      });
  }
  return new Stripe('sk_test_fake', { host, port, protocol, telemetry: false, maxNetworkRetries, httpClient: inner });
}

function send(stripe = client(), key = 'key-1', amount = 100) {
  return stripe.refunds.create({ payment_intent: 'pi_1', amount }, { idempotencyKey: key });
}

function failureOf(call: Promise<unknown>) {
  return call.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: Stripe.errors.StripeError) => error,
  );
}

const effects = () => fake.report().effects.length;
const fates = () => fake.report().sends.map((send) => send.fate);
const kinds = () => happenings.map((happening) => happening.kind);

describe('dropping', () => {
  test.each(['close', 'reset'] as const)('a request dropped by %s is a send without an effect', async (how) => {
    fake.arm({ route: 'create', kind: 'drop-request', how });
    expect((await failureOf(send())).type).toBe('StripeConnectionError');
    expect(fake.report()).toMatchObject({
      effects: [],
      sends: [{ fate: 'dropped', key: 'key-1', status: null, answerLeft: false }],
    });
    await send();
    expect(fates()).toEqual(['dropped', 'executed']);
  });

  test.each(['close', 'reset'] as const)('an answer dropped by %s leaves the refund; the key finds it', async (how) => {
    fake.arm({ route: 'create', kind: 'drop-answer', how });
    expect((await failureOf(send())).type).toBe('StripeConnectionError');
    expect(fake.report()).toMatchObject({
      effects: [{ amount: 100 }],
      sends: [{ fate: 'executed', answerLeft: false }],
    });
    const again = await send();
    expect(again.id).toBe(fake.report().effects[0]?.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(effects()).toBe(1);
  });

  test('the SDK with its own retries hides a dropped answer and makes one refund', async () => {
    fake.arm({ route: 'create', kind: 'drop-answer', times: 2 });
    const refund = await send(client(2));
    expect(fake.report().effects).toMatchObject([{ id: refund.id }]);
    expect(fates()).toEqual(['executed', 'replayed', 'replayed']);
  });

  test('the SDK without retries still sends twice after a hang-up, which the fake counts', async () => {
    const { host, port, protocol } = fake;
    const plain = new Stripe('sk_test_fake', { host, port, protocol, telemetry: false, maxNetworkRetries: 0 });
    fake.arm({ route: 'create', kind: 'drop-answer' });
    await send(plain);
    expect(fates()).toEqual(['executed', 'replayed']);
  });

  test('a cut body announces more than it sends', async () => {
    fake.arm({ route: 'create', kind: 'cut-body' });
    expect((await failureOf(send())).type).toBe('StripeConnectionError');
    expect(fake.report()).toMatchObject({
      effects: [{ amount: 100 }],
      sends: [{ fate: 'executed', answerLeft: false }],
    });
    const response = await new Promise<{ announced: number; received: number }>((resolve, reject) => {
      fake.arm({ route: 'create', kind: 'cut-body' });
      const sent = request(`${fake.url}/v1/refunds`, {
        method: 'POST',
        agent: false,
        headers: { Authorization: 'Bearer sk_test_fake', 'Content-Type': 'application/x-www-form-urlencoded' },
      });
      sent.on('error', reject);
      sent.on('response', (incoming) => {
        let received = 0;
        incoming.on('data', (chunk: Buffer) => {
          received += chunk.length;
        });
        incoming.on('error', () => resolve({ announced: Number(incoming.headers['content-length']), received }));
      });
      sent.end('payment_intent=pi_1&amount=1');
    });
    expect(response.received).toBeGreaterThan(0);
    expect(response.announced).toBeGreaterThan(response.received);
  });

  test('a request whose body never arrives whole is counted and executes nothing', async () => {
    const socket = connect(fake.port, fake.host);
    await new Promise((resolve) => socket.once('connect', resolve));
    const arrived = new Promise((resolve) => fake.onEvent(resolve));
    const head = [
      'POST /v1/refunds HTTP/1.1',
      'Host: fake',
      'Authorization: Bearer sk_test_fake',
      'Content-Type: application/x-www-form-urlencoded',
      'Idempotency-Key: key-1',
      'Content-Length: 100',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\npayment_intent=pi_1`);
    await arrived;
    expect(fake.report()).toMatchObject({
      effects: [],
      sends: [{ fate: 'incomplete', key: 'key-1', body: 'payment_intent=pi_1' }],
    });
  });
});

describe('holding', () => {
  test('a held request is still on its way: a second one of its key executes, and the first becomes its replay', async () => {
    const armed = fake.arm({ route: 'create', kind: 'hold-request' });
    const first = send();
    await armed.firstHit;
    expect(fates()).toEqual(['waiting']);
    expect(effects()).toBe(0);
    const second = await send();
    armed.release();
    expect((await first).id).toBe(second.id);
    expect(fates()).toEqual(['replayed', 'executed']);
    expect(effects()).toBe(1);
  });

  test('a held request that arrives after its key was pruned makes a second refund', async () => {
    const armed = fake.arm({ route: 'create', kind: 'hold-request' });
    const first = send();
    await armed.firstHit;
    await send();
    fake.advanceClock(86_400_000);
    armed.release();
    await first;
    expect(effects()).toBe(2);
  });

  test('a held request executes although its client has gone', async () => {
    const armed = fake.arm({ route: 'create', kind: 'hold-request' });
    const call = new AbortController();
    const gone = fetch(`${fake.url}/v1/refunds`, {
      method: 'POST',
      body: 'payment_intent=pi_1',
      signal: call.signal,
      headers: { Authorization: 'Bearer sk_test_fake', 'Content-Type': 'application/x-www-form-urlencoded' },
    }).catch(() => 'gone');
    await armed.firstHit;
    call.abort();
    expect(await gone).toBe('gone');
    // Until the fake's side of the connection has seen it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const lost = new Promise((resolve) => fake.onEvent(({ kind }) => kind === 'answer-lost' && resolve(kind)));
    armed.release();
    await lost;
    expect(fake.report()).toMatchObject({
      effects: [{ amount: 1_000 }],
      sends: [{ fate: 'executed', answerLeft: false }],
    });
  });

  test('a held answer: the refund is there at once, and the key replays it meanwhile', async () => {
    const armed = fake.arm({ route: 'create', kind: 'hold-answer' });
    let answered = false;
    const first = send().then((refund) => {
      answered = true;
      return refund;
    });
    await armed.firstHit;
    expect(effects()).toBe(1);
    expect((await client().refunds.list({ payment_intent: 'pi_1' })).data).toHaveLength(1);
    const second = await send();
    expect(answered).toBe(false);
    armed.release();
    expect((await first).id).toBe(second.id);
    expect(fates()).toEqual(['executed', 'replayed']);
  });

  test('a held answer with keyInUse tells the others of the key 409 until it is released', async () => {
    const armed = fake.arm({ route: 'create', kind: 'hold-answer', keyInUse: true });
    const first = send();
    await armed.firstHit;
    expect(effects()).toBe(1);
    expect(await failureOf(send())).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    armed.release();
    const { id } = await first;
    expect((await send()).id).toBe(id);
  });

  test('a late release never frees a key that another request has taken since', async () => {
    const first = fake.arm({ route: 'create', kind: 'hold-answer' });
    const second = fake.arm({ route: 'create', kind: 'hold-execution' });
    const sends = [send()];
    await first.firstHit;
    fake.advanceClock(86_400_000);
    sends.push(send());
    await second.firstHit;
    first.release();
    await sends[0];
    expect(await failureOf(send())).toMatchObject({ statusCode: 409 });
    second.release();
    await Promise.all(sends);
  });

  test('a held execution keeps its key and makes its refund at the release', async () => {
    const armed = fake.arm({ route: 'create', kind: 'hold-execution' });
    const first = send();
    await armed.firstHit;
    expect(effects()).toBe(0);
    expect(armed.holding).toBe(1);
    fake.advanceClock(5_000);
    fake.releaseAll();
    await first;
    expect(armed.holding).toBe(0);
    expect(fake.report()).toMatchObject({ effects: [{ at: NOON + 5_000 }], sends: [{ at: NOON }] });
  });

  test('two held requests that together exceed the payment: the one released first gets it', async () => {
    const one = fake.arm({ route: 'create', kind: 'hold-execution', key: 'key-1' });
    const two = fake.arm({ route: 'create', kind: 'hold-execution', key: 'key-2' });
    const first = send(client(), 'key-1', 600);
    const second = send(client(), 'key-2', 600);
    await Promise.all([one.firstHit, two.firstHit]);
    two.release();
    expect((await second).amount).toBe(600);
    one.release();
    expect((await failureOf(first)).message).toContain('greater than unrefunded amount');
  });

  test('a release that comes before the hold was reached holds nothing', async () => {
    await fake.close();
    fake = await startFakeStripe({ executionMs: 20 });
    fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
    const armed = fake.arm({ route: 'create', kind: 'hold-answer' });
    const arrived = new Promise((resolve) => fake.onEvent(resolve));
    const call = send();
    await arrived;
    armed.release();
    expect(await call).toMatchObject({ status: 'succeeded' });
    expect(armed.hits).toBe(1);
  });

  test('a slow answer comes late', async () => {
    fake.arm({ route: 'create', kind: 'slow-answer', ms: 120 });
    const startedAt = performance.now();
    const call = send();
    const whileWaiting = await new Promise((resolve) => setTimeout(() => resolve(effects()), 60));
    await call;
    expect(whileWaiting).toBe(1);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(115);
  });

  test('closing ends an execution that takes its time, and keeps the answer of one that is done', async () => {
    await fake.close();
    fake = await startFakeStripe({ executionMs: 60_000 });
    fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
    const arrived = new Promise((resolve) => fake.onEvent(resolve));
    const call = failureOf(send());
    await arrived;
    await fake.close();
    await call;
    expect(fake.report()).toMatchObject({ effects: [], sends: [{ fate: 'dropped' }] });
    fake = await startFakeStripe();
    fake.addPayment({ id: 'pi_1', amount: 1_000, currency: 'usd' });
    const slow = fake.arm({ route: 'create', kind: 'slow-answer', ms: 60_000 });
    const second = failureOf(send());
    await slow.firstHit;
    await new Promise(setImmediate);
    await fake.close();
    await second;
    expect(fake.report()).toMatchObject({
      effects: [{ amount: 100 }],
      sends: [{ fate: 'executed', answerLeft: false }],
    });
  });

  test('closing ends what is held without executing it', async () => {
    const armed = fake.arm({ route: 'create', kind: 'hold-request' });
    const call = failureOf(send());
    await armed.firstHit;
    await fake.close();
    expect((await call).type).toBe('StripeConnectionError');
    expect(fates()).toEqual(['dropped']);
    armed.release();
    expect(effects()).toBe(0);
  });
});

describe('answers in place of ours', () => {
  test.each<[string, { status: number; body: string; headers?: Record<string, string> }]>([
    ['401', { status: 401, body: '{"error":{"type":"invalid_request_error","message":"no"}}' }],
    ['403', { status: 403, body: '{"error":{"type":"invalid_request_error","message":"no"}}' }],
    ['429', { status: 429, body: '{"error":{"type":"invalid_request_error","code":"rate_limit","message":"slow"}}' }],
    ['502 of HTML', { status: 502, body: '<html>Bad gateway</html>', headers: { 'Content-Type': 'text/html' } }],
    ['503 of JSON without an error', { status: 503, body: '{"status":"down"}' }],
    ['302', { status: 302, body: '', headers: { Location: 'http://127.0.0.1:9/' } }],
    ['200 of an empty object', { status: 200, body: '{}' }],
    ['200 of null', { status: 200, body: 'null' }],
    ['200 of JSON cut off at its full length', { status: 200, body: '{"id":"re_1","obj' }],
  ])('%s comes as armed, before anything executes, and the key stays free', async (_, answer) => {
    fake.arm({ route: 'create', kind: 'status', ...answer });
    const response = await fetch(`${fake.url}/v1/refunds`, {
      method: 'POST',
      body: 'payment_intent=pi_1&amount=100',
      redirect: 'manual',
      headers: {
        Authorization: 'Bearer sk_test_fake',
        'Content-Type': 'application/x-www-form-urlencoded',
        'Idempotency-Key': 'key-1',
      },
    });
    expect(response.status).toBe(answer.status);
    expect(await response.text()).toBe(answer.body);
    expect(response.headers.get('Content-Type')).toBe(answer.headers?.['Content-Type'] ?? 'application/json');
    expect(response.headers.get('Request-Id')).toMatch(/^req_/);
    expect(fake.report()).toMatchObject({
      effects: [],
      sends: [{ fate: 'error', status: answer.status, answerLeft: true }],
    });
    expect((await send()).lastResponse.headers['idempotent-replayed']).toBeUndefined();
  });

  test('the SDK resolves a 503 without an error, and stumbles over null, as it does with Stripe', async () => {
    fake.arm({ route: 'create', kind: 'status', status: 503, body: '{"status":"down"}' });
    expect((await send()).lastResponse.statusCode).toBe(503);
    fake.arm({ route: 'create', kind: 'status', status: 200, body: 'null' });
    await expect(send()).rejects.toBeInstanceOf(TypeError);
  });

  test('with store the answer is the key’s for good', async () => {
    const body = '{"error":{"type":"card_error","message":"declined"}}';
    fake.arm({ route: 'create', kind: 'status', status: 402, body, store: true });
    expect(await failureOf(send())).toMatchObject({ statusCode: 402 });
    const again = await failureOf(send());
    expect(again.statusCode).toBe(402);
    expect(again.headers?.['idempotent-replayed']).toBe('true');
    expect(effects()).toBe(0);
  });

  test('with effect a gateway hides an API that worked: the refund is made and its own answer is the key’s', async () => {
    fake.arm({ route: 'create', kind: 'status', status: 502, body: '<html></html>', effect: true });
    await failureOf(send());
    expect(fake.report()).toMatchObject({ effects: [{ amount: 100 }], sends: [{ fate: 'executed', status: 502 }] });
    expect((await send()).id).toBe(fake.report().effects[0]?.id);
  });

  test('a fault that executes never replaces a stored answer', async () => {
    const { id } = await send();
    fake.arm({ route: 'create', kind: 'server-error', effect: true });
    expect((await send()).id).toBe(id);
    expect(effects()).toBe(1);
  });

  test('a 500 makes the SDK retry, unless Stripe-Should-Retry says no', async () => {
    fake.arm({ route: 'create', kind: 'server-error', effect: true });
    expect(await failureOf(send(client(2)))).toMatchObject({ statusCode: 500 });
    expect(fates()).toEqual(['executed', 'replayed', 'replayed']);
    fake.arm({ route: 'create', kind: 'server-error', effect: false, shouldRetry: false });
    expect(await failureOf(send(client(2), 'key-2'))).toMatchObject({ statusCode: 500 });
    expect(fates().slice(3)).toEqual(['error']);
  });

  test('without retries a 500 is one send', async () => {
    fake.arm({ route: 'create', kind: 'server-error', effect: true });
    expect(await failureOf(send())).toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
    expect(fates()).toEqual(['executed']);
  });
});

describe('which requests a fault meets', () => {
  test('as many as it says, in their order, one fault a request', async () => {
    fake.arm({ route: 'create', kind: 'drop-request', times: 2 });
    const second = fake.arm({ route: 'any', kind: 'status', status: 429, body: '{"error":{"message":"slow"}}' });
    await failureOf(send());
    await failureOf(send());
    expect(second.hits).toBe(0);
    expect(await failureOf(send())).toMatchObject({ statusCode: 429 });
    await send();
    expect(fates()).toEqual(['dropped', 'dropped', 'error', 'executed']);
  });

  test('forFirstKey means all requests of the first key it sees, and no other', async () => {
    fake.arm({ route: 'create', kind: 'drop-answer', forFirstKey: true });
    for (let n = 0; n < 3; n++) await failureOf(send(client(), 'key-a'));
    await send(client(), 'key-b');
    await failureOf(send(client(), 'key-a'));
    await client().refunds.create({ payment_intent: 'pi_1', amount: 1 });
    expect(fates()).toEqual(['executed', 'replayed', 'replayed', 'executed', 'replayed', 'executed']);
  });

  test('a fault of another route is left alone; queries have faults of their own', async () => {
    const list = fake.arm({ route: 'list', kind: 'server-error', effect: false });
    const retrieve = fake.arm({ route: 'retrieve', kind: 'drop-answer' });
    const events = fake.arm({ route: 'events', kind: 'status', status: 503, body: '{}' });
    const { id } = await send();
    expect([list.hits, retrieve.hits, events.hits]).toEqual([0, 0, 0]);
    expect(await failureOf(client().refunds.list({ payment_intent: 'pi_1' }))).toMatchObject({ statusCode: 500 });
    expect((await failureOf(client().refunds.retrieve(id))).type).toBe('StripeConnectionError');
    expect((await client().events.list()).data).toBeUndefined();
    expect([list.hits, retrieve.hits, events.hits]).toEqual([1, 1, 1]);
    expect((await client().refunds.list({ payment_intent: 'pi_1' })).data).toHaveLength(1);
    expect(fake.report().sends).toHaveLength(1);
  });

  test('skip lets requests pass first: the second page of a list fails', async () => {
    for (const key of ['a', 'b', 'c']) await send(client(), key);
    fake.arm({ route: 'list', kind: 'server-error', effect: false, skip: 1 });
    const seen: string[] = [];
    const walk = async () => {
      for await (const refund of client().refunds.list({ limit: 2 })) seen.push(refund.id);
    };
    expect(await failureOf(walk())).toMatchObject({ statusCode: 500 });
    expect(seen).toHaveLength(2);
  });

  test('a disarmed fault meets nothing more', async () => {
    fake.arm({ route: 'create', kind: 'drop-request' }).disarm();
    fake.arm({ route: 'create', kind: 'drop-request' });
    fake.disarmAll();
    await send();
  });

  test.each<[string, unknown]>([
    ['kind is missing', { route: 'create' }],
    ['kind must be one of', { route: 'create', kind: 'explode' }],
    ['route must be one of', { route: 'refund', kind: 'drop-answer' }],
    ['times must be a whole number', { route: 'create', kind: 'drop-answer', times: 0 }],
    ['ms is missing', { route: 'create', kind: 'slow-answer' }],
    ['effect is missing', { route: 'create', kind: 'server-error' }],
    ['for the route create', { route: 'list', kind: 'hold-execution' }],
    ['for the route create', { route: 'list', kind: 'status', status: 200, body: '', store: true }],
    ['cannot be sent', { route: 'list', kind: 'status', status: 200, body: '', headers: { 'a b': 'x' } }],
    ['in place of times', { route: 'create', kind: 'drop-answer', forFirstKey: true, times: 2 }],
    ['effct is not known', { route: 'create', kind: 'server-error', effect: true, effct: true }],
  ])('a fault that could not work is refused when it is armed: %s', (message, fault) => {
    expect(() => fake.arm(fault as Fault)).toThrow(message);
  });
});

describe('the connection', () => {
  test('refused, clients get ECONNREFUSED and nothing is counted; accepted again, it is the same port and data', async () => {
    const { id } = await send();
    await fake.refuseConnections();
    const refused = await failureOf(send(client(2)));
    expect(refused).toMatchObject({ type: 'StripeConnectionError', detail: { code: 'ECONNREFUSED' } });
    expect(fake.report().sends).toHaveLength(1);
    await fake.acceptConnections();
    expect((await send()).id).toBe(id);
  });

  test('refusing destroys what is open; a request held then still executes when it is released', async () => {
    const armed = fake.arm({ route: 'create', kind: 'hold-request' });
    const call = failureOf(send());
    await armed.firstHit;
    await fake.refuseConnections();
    expect((await call).type).toBe('StripeConnectionError');
    armed.release();
    await fake.acceptConnections();
    await client().refunds.list();
    expect(fake.report()).toMatchObject({ effects: [{ key: 'key-1' }], sends: [{ answerLeft: false }] });
  });
});

describe('what is told as it happens', () => {
  test('each step of a send, in its order', async () => {
    await send();
    await client().refunds.list({ payment_intent: 'pi_1' });
    expect(kinds()).toEqual(['send-arrived', 'refund-made', 'send-decided', 'answered', 'queried', 'answered']);
    const id = fake.report().effects[0]?.id;
    expect(happenings).toMatchObject([
      { at: NOON, key: 'key-1', amount: '100', payment: 'pi_1' },
      { id, amount: 100, currency: 'usd', paymentIntent: 'pi_1', key: 'key-1', byHand: false },
      { fate: 'executed', refund: id, status: 200 },
      { status: 200, replayed: false, route: 'create' },
      { route: 'list', found: 1 },
      { status: 200, route: 'list' },
    ]);
  });

  test('a dropped answer is told as such', async () => {
    fake.arm({ route: 'create', kind: 'drop-answer' });
    await failureOf(send());
    expect(kinds()).toEqual(['send-arrived', 'refund-made', 'send-decided', 'answer-dropped']);
  });

  test('a listener that throws harms no request, and an ended one hears nothing', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const end = fake.onEvent(() => {
      throw new Error('listener');
    });
    await send();
    end();
    await send(client(), 'key-2');
    expect(effects()).toBe(2);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('Error: listener'));
    warn.mockRestore();
  });
});
