// Needs Postgres.
import { request } from 'node:http';
import { startWebhookDoor, type WebhookDoor, WebhookMissingError } from '../../src/console';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import type { Operation } from '../../src/operations/fold';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import type { WebhookDelivery } from '../../src/testing/fake-stripe/webhooks';
import type { Tool } from '../../src/tools/tool';
import { FaultyWire } from '../support/faulty-wire';
import { WatchedLedger } from '../support/perform-rig';
import { callRefund, marksOf, type RefundCall, readFold, refundTool } from '../support/refund-rig';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';
import { postWebhook, WEBHOOK_SECRET } from '../support/webhook-posts';

const SHOP = { tenant: 'shop', operationId: 'refund-1043-li_2' };
const MIB = 1_048_576;

let own: TestDatabase;
let ledger: PostgresLedger;
let wire: FaultyWire;
let door: WebhookDoor;
let fake: FakeStripe;
let paymentIntent: string;
let logged: string[];

/** Around the door to the database is a wire that can be cut; the calls have their own. */
async function open(tools: readonly Tool[]): Promise<void> {
  const url = new URL(own.url);
  url.port = String(wire.port);
  logged = [];
  const log = (line: string) => logged.push(line);
  door = await startWebhookDoor({ tools, port: 0, database: { url: url.href }, log });
  fake = await startFakeStripe({ webhook: { url: `${door.url}/webhooks/stripe`, secret: WEBHOOK_SECRET } });
  ({ id: paymentIntent } = fake.addPayment({ amount: 158_000, currency: 'twd' }));
  fake.webhooks.hold();
}

beforeEach(async () => {
  own = await createTestDatabase();
  ledger = new PostgresLedger(own.database);
  const { hostname, port } = new URL(own.url);
  wire = await FaultyWire.to(hostname, Number(port));
  await open([refundTool()]);
});
afterEach(async () => {
  await fake.close();
  await door.stop();
  await wire.close();
  await own.drop();
});

const call = (change: Partial<RefundCall> = {}) => callRefund({ ledger, fake, paymentIntent, ...SHOP, ...change });
const operation = (of: Partial<typeof SHOP> = {}): Promise<Operation | null> => readFold({ ledger, ...SHOP, ...of });
const statuses = (deliveries: readonly WebhookDelivery[]) => [...new Set(deliveries.map(({ status }) => status))];
const kinds = async () => (await ledger.load(SHOP)).events.map(({ kind }) => kind);
const effectId = () => `${fake.report().effects[0]?.id}`;

/** A call whose refund exists and whose answer nobody gets; the call is told that nothing is known. */
async function lostCall(change: Partial<RefundCall> = {}): Promise<string> {
  fake.arm({ route: 'create', kind: 'drop-answer' });
  await expect(call(change)).resolves.toMatchObject({ reply: { code: 'outcome_unknown' } });
  return effectId();
}

describe('what a webhook tells is evidence', () => {
  test('a stored 500 whose refund was made → confirmed by the webhook, and nothing more is sent', async () => {
    fake.arm({ route: 'create', kind: 'server-error', effect: true });
    await expect(call()).resolves.toMatchObject({ reply: { code: 'outcome_unknown' } });
    expect(await operation()).toMatchObject({ state: 'unknown' });
    expect(statuses(await fake.webhooks.sendHeld())).toEqual([200]);
    const settled = { state: 'confirmed', resolvedBy: 'webhook', externalId: effectId(), alarms: [] };
    expect(await operation()).toMatchObject(settled);
    await expect(call()).resolves.toMatchObject({ reply: { code: 'already_done', externalId: effectId() } });
    expect(fake.report().totals).toMatchObject({ effects: 1, sends: 1 });
    expect(door.counts()).toMatchObject({ recorded: 1, ignored: 1 });
  });

  test('the same event ten times, five of them at once → one event of the operation', async () => {
    await lostCall();
    const [created] = await fake.webhooks.sendHeld();
    for (let n = 0; n < 4; n++) await fake.webhooks.send(`${created?.eventId}`);
    const body = JSON.stringify(refundEvent(effectId(), 'refund.updated', 'succeeded'));
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => postWebhook(`${door.url}/webhooks/stripe`, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await kinds()).filter((kind) => kind === 'evidence')).toHaveLength(1);
    expect(door.counts()).toMatchObject({ recorded: 1, known: 9 });
  });

  test('the same news five times at once, all read before the first is saved → one event of the operation', async () => {
    await lostCall();
    const body = JSON.stringify(refundEvent(effectId(), 'refund.updated', 'succeeded'));
    const row = await holdRow();
    const answers = Promise.all([1, 2, 3, 4, 5].map(() => postWebhook(`${door.url}/webhooks/stripe`, body)));
    await row.awaitedBy(5);
    await row.release();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await kinds()).filter((kind) => kind === 'evidence')).toHaveLength(1);
    expect(door.counts()).toMatchObject({ recorded: 1, known: 4 });
  });

  test('what an answer told already adds no event', async () => {
    await expect(call()).resolves.toMatchObject({ reply: { code: 'done' } });
    const before = await kinds();
    await fake.webhooks.sendHeld();
    expect(await kinds()).toEqual(before);
    expect(door.counts()).toMatchObject({ recorded: 0, known: 1 });
  });

  test.each([
    ['in order', false],
    ['the other way round', true],
  ])('pending, then succeeded, sent %s → confirmed', async (_how, reverse) => {
    fake.nextRefunds({ status: 'pending' });
    fake.settle(await lostCall(), 'succeeded');
    expect(statuses(await fake.webhooks.sendHeld({ reverse }))).toEqual([200]);
    expect(await operation()).toMatchObject({ state: 'confirmed', resolvedBy: 'webhook', alarms: [] });
  });

  test.each([
    ['in order', false],
    ['the other way round', true],
  ])('succeeded, then failed, sent %s → before a person', async (_how, reverse) => {
    const id = await lostCall();
    fake.settle(id, 'failed', 'lost_or_stolen_card');
    expect(statuses(await fake.webhooks.sendHeld({ reverse }))).toEqual([200]);
    expect(await operation()).toMatchObject({ state: 'escalated', alarms: [`${id} succeeded and failed.`] });
    await expect(call()).resolves.toMatchObject({ reply: { code: 'escalated' } });
  });

  test('a success of long ago that failed → before a person', async () => {
    await call();
    await fake.webhooks.sendHeld();
    fake.settle(effectId(), 'failed');
    await fake.webhooks.sendHeld();
    expect(await operation()).toMatchObject({ state: 'escalated', alarms: [`${effectId()} succeeded and failed.`] });
  });

  test('our ID on another amount → before a person', async () => {
    fake.arm({ route: 'create', kind: 'drop-request' });
    await call();
    fake.refundByHand({ payment: paymentIntent, amount: 1_000, metadata: marksOf(SHOP.operationId) });
    await fake.webhooks.sendHeld();
    expect(await operation()).toMatchObject({
      state: 'escalated',
      reason: expect.stringContaining('but its amount is 1000, not 38000'),
    });
  });

  test('an effect of a generation is compared with that generation’s request', async () => {
    fake.nextRefunds({ status: 'failed' });
    await expect(call()).resolves.toMatchObject({ reply: { code: 'rejected' } });
    await fake.webhooks.sendHeld();
    await expect(call({ amount: 20_000 })).resolves.toMatchObject({ reply: { code: 'done' } });
    const first = fake.report().effects.find(({ status }) => status === 'failed');
    const changed = refundEvent(`${first?.id}`, 'refund.updated', 'canceled', { amount: 38_000 });
    expect(await postWebhook(`${door.url}/webhooks/stripe`, JSON.stringify(changed))).toMatchObject({ status: 200 });
    expect(await operation()).toMatchObject({ state: 'confirmed', alarms: [] });
    expect((await operation())?.generations).toHaveLength(2);
    // The other generation's amount is not this one's.
    const other = refundEvent(`${first?.id}`, 'refund.updated', 'failed', { amount: 20_000 });
    await postWebhook(`${door.url}/webhooks/stripe`, JSON.stringify(other));
    expect(await operation()).toMatchObject({
      alarms: [`${first?.id} bears our operation ID but its amount is 20000, not 38000.`],
    });
  });
});

describe('beside a call', () => {
  test('a webhook between the send and the record of its answer → both are recorded, the call is told done', async () => {
    const watched = new WatchedLedger(ledger);
    watched.before(
      'save',
      () => undefined,
      async () => void (await fake.webhooks.sendHeld()),
    );
    await expect(call({ ledger: watched })).resolves.toMatchObject({ reply: { code: 'done' } });
    expect(await kinds()).toEqual(['registered', 'marked', 'evidence', 'answered']);
    expect(await operation()).toMatchObject({ state: 'confirmed', resolvedBy: 'webhook', alarms: [] });
  });

  test('the answer between the webhook’s read and its save → decided again: it is known', async () => {
    fake.arm({ route: 'create', kind: 'hold-answer' });
    const reply = call();
    await until(() => fake.webhooks.held === 2);
    const row = await holdRow();
    fake.releaseAll();
    await row.awaitedBy(1);
    const delivered = fake.webhooks.sendHeld();
    await row.awaitedBy(2);
    await row.release();
    expect(statuses(await delivered)).toEqual([200]);
    await expect(reply).resolves.toMatchObject({ reply: { code: 'done' } });
    expect(await kinds()).toEqual(['registered', 'marked', 'answered']);
    expect(door.counts()).toMatchObject({ known: 1, recorded: 0 });
  });
});

describe('what is not ours', () => {
  test('a refund by hand, a charge → ignored; our kind of ID that the ledger does not have → foreign', async () => {
    fake.refundByHand({ payment: paymentIntent, amount: 1_000 });
    fake.refundByHand({ payment: paymentIntent, amount: 1_000, metadata: marksOf('refund-9-li_9') });
    expect(statuses(await fake.webhooks.sendHeld())).toEqual([200]);
    expect(door.counts()).toMatchObject({ recorded: 0, ignored: 3, foreign: 1 });
    const { rows } = await own.database.pool.query('select 1 from sendonce.events');
    expect(rows).toEqual([]);
    expect(logged).toEqual([]);
  });

  test('a status that this release does not know → recorded nowhere, told in the log', async () => {
    const id = await lostCall();
    const before = await kinds();
    const event = refundEvent(id, 'refund.updated', 'reversed');
    expect(await postWebhook(`${door.url}/webhooks/stripe`, JSON.stringify(event))).toMatchObject({ status: 200 });
    expect(await kinds()).toEqual(before);
    expect(door.counts()).toMatchObject({ unreadable: 1 });
    expect(logged).toEqual([expect.stringMatching(/evt_1, refund re_\w+: .* status reversed/)]);
  });
});

describe('an ID that several tenants have', () => {
  const BAZAAR = { tenant: 'bazaar' };

  test('the payment tells whose it is', async () => {
    const { id } = fake.addPayment({ amount: 90_000, currency: 'twd' });
    await lostCall();
    await lostCall({ ...BAZAAR, paymentIntent: id, operationId: SHOP.operationId });
    // Two tenants under one key would be one refund at Stripe: theirs are accounts of their own, whose keys do not meet.
    fake.refundByHand({ payment: id, amount: 38_000, metadata: marksOf(SHOP.operationId) });
    await fake.webhooks.sendHeld();
    expect(await operation()).toMatchObject({ state: 'confirmed' });
    expect(await operation(BAZAAR)).toMatchObject({ state: 'confirmed' });
    expect(door.counts()).toMatchObject({ recorded: 2, ambiguous: 0 });
  });

  test.each([
    ['it fits neither request', 1_000],
    ['it fits both', 38_000],
  ])('%s → none is guessed, and the log says so', async (_why, amount) => {
    fake.arm({ route: 'create', kind: 'drop-request', times: 2 });
    await call();
    await call(BAZAAR);
    fake.refundByHand({ payment: paymentIntent, amount, metadata: marksOf(SHOP.operationId) });
    expect(statuses(await fake.webhooks.sendHeld())).toEqual([200]);
    expect(door.counts()).toMatchObject({ recorded: 0, ambiguous: 1 });
    expect(logged).toEqual([expect.stringMatching(/tenants bazaar, shop have an operation refund-1043-li_2/)]);
    expect(await operation()).toMatchObject({ state: 'unknown' });
    expect(await operation(BAZAAR)).toMatchObject({ state: 'unknown' });
  });

  test('where they share the account, the key names one', async () => {
    await fake.close();
    await door.stop();
    await open([refundTool({ sharedAccount: true })]);
    const shared = { sharedAccount: true };
    await lostCall(shared);
    await lostCall({ ...shared, ...BAZAAR });
    fake.settle(effectId(), 'failed');
    await fake.webhooks.sendHeld();
    expect(await operation()).toMatchObject({ state: 'escalated' });
    expect(await operation(BAZAAR)).toMatchObject({ state: 'confirmed', resolvedBy: 'webhook' });
    fake.refundByHand({ payment: paymentIntent, amount: 100, metadata: marksOf(SHOP.operationId, 'nobody~') });
    await fake.webhooks.sendHeld();
    expect(door.counts()).toMatchObject({ foreign: 1, ambiguous: 0 });
  });
});

describe('what is answered', () => {
  test('the ledger is out of reach → 503, and the same event again is recorded', async () => {
    await lostCall();
    wire.cut();
    const down = await fake.webhooks.sendHeld();
    expect(down.find(({ type }) => type === 'refund.created')).toMatchObject({ status: 503 });
    expect(door.counts()).toMatchObject({ failed: 1, recorded: 0 });
    expect(logged).toEqual([expect.stringMatching(/could not be recorded, and will be sent again/)]);
    wire.mend();
    const created = down.find(({ type }) => type === 'refund.created');
    expect(await fake.webhooks.send(`${created?.eventId}`)).toMatchObject({ status: 200 });
    expect(await operation()).toMatchObject({ state: 'confirmed', resolvedBy: 'webhook' });
  });

  const nowS = () => Math.floor(Date.now() / 1_000);
  test.each([
    ['another secret', () => ({ secret: 'whsec_wrong' })],
    ['a signature of ten minutes ago', () => ({ timestamp: nowS() - 600 })],
    ['a signature of ten minutes ahead', () => ({ timestamp: nowS() + 600 })],
  ])('%s → 400, and nothing is recorded', async (_what, options) => {
    await lostCall();
    expect(statuses(await fake.webhooks.sendHeld(options()))).toEqual([400]);
    expect(await operation()).toMatchObject({ state: 'unknown' });
    expect(door.counts()).toMatchObject({ refused: 2 });
  });

  test('a body of 1 MiB is read, a longer one → 413, whether or not it says its length', async () => {
    const url = `${door.url}/webhooks/stripe`;
    expect(await postWebhook(url, ' '.repeat(MIB), { secret: 'whsec_wrong' })).toMatchObject({ status: 400 });
    expect(await postWebhook(url, ' '.repeat(MIB + 1))).toMatchObject({ status: 413 });
    expect(await postChunked(url, Buffer.alloc(MIB + 1, ' '))).toBe(413);
  });

  test('no text → 400', async () => {
    expect(await postChunked(`${door.url}/webhooks/stripe`, Buffer.from([0xff, 0xfe]))).toBe(400);
  });

  test.each([
    ['GET', '/webhooks/stripe', 405, 'POST'],
    ['PUT', '/webhooks/stripe', 405, 'POST'],
    ['POST', '/webhooks/adyen', 404, null],
    ['POST', '/', 404, null],
    ['GET', '/healthz', 200, null],
    ['POST', '/healthz', 405, 'GET, HEAD'],
  ])('%s %s → %i', async (method, path, status, allow) => {
    const answer = await fetch(door.url + path, { method });
    expect({ status: answer.status, allow: answer.headers.get('Allow') }).toEqual({ status, allow });
    expect(door.counts()).toMatchObject({ refused: 0 });
  });
});

test('10,000 queued events at once, one in a hundred about our refund → all answered, one recorded, nothing sent', async () => {
  await lostCall();
  const ours = JSON.stringify(refundEvent(effectId(), 'refund.updated', 'succeeded'));
  const others = JSON.stringify(refundEvent('re_elsewhere', 'refund.updated', 'succeeded')).replaceAll(
    SHOP.operationId,
    'refund-of-another-shop',
  );
  const queue = Array.from({ length: 10_000 }, (_, index) => (index % 100 === 0 ? ours : others));
  const answers = new Map<number, number>();
  // As many as a provider would have under way at once; the others are queued.
  const sender = async () => {
    for (let body = queue.pop(); body !== undefined; body = queue.pop()) {
      const { status } = await postWebhook(`${door.url}/webhooks/stripe`, body);
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 200 }, sender));
  expect(Object.fromEntries(answers)).toEqual({ 200: 10_000 });
  expect(door.counts()).toMatchObject({ recorded: 1, known: 99, foreign: 9_900, failed: 0 });
  expect((await kinds()).filter((kind) => kind === 'evidence')).toHaveLength(1);
  expect(fake.report().totals).toMatchObject({ effects: 1, sends: 1 });
  // A dozen seconds on a machine that has nothing else to do.
}, 300_000);

describe('opening and closing', () => {
  test('tools without a webhook secret → it does not open', async () => {
    const { webhook: _webhook, ...provider } = refundTool().provider;
    const tools: Tool[] = [{ ...refundTool(), provider }];
    await expect(startWebhookDoor({ tools, port: 0, database: { url: own.url } })).rejects.toThrow(WebhookMissingError);
  });

  test('a port that is taken, a schema that is not there → it does not open', async () => {
    const tools = [refundTool()];
    const port = Number(new URL(door.url).port);
    const taken = startWebhookDoor({ tools, port, database: { url: own.url } });
    await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const elsewhere = startWebhookDoor({ tools, port: 0, database: { url: own.url, schema: 'elsewhere' } });
    await expect(elsewhere).rejects.toMatchObject({ code: 'SENDONCE_SCHEMA_MISSING' });
  });

  test('a delivery under way is stored and answered before it closes', async () => {
    await lostCall();
    const holder = await own.database.pool.connect();
    await holder.query('begin');
    await holder.query('lock table sendonce.events in access exclusive mode');
    const body = JSON.stringify(refundEvent(effectId(), 'refund.updated', 'succeeded'));
    const answer = postWebhook(`${door.url}/webhooks/stripe`, body);
    await until(async () => {
      const waiting = `select 1 from pg_locks where not granted and relation = 'sendonce.events'::regclass`;
      return (await holder.query(waiting)).rows.length > 0;
    });
    const stopped = door.stop();
    await holder.query('commit');
    holder.release();
    expect(await answer).toEqual({ status: 200, body: { result: 'recorded' } });
    await stopped;
    await expect(fetch(`${door.url}/healthz`)).rejects.toThrow();
    expect(await operation()).toMatchObject({ state: 'confirmed' });
  });
});

interface HeldRow {
  /** Until so many saves of the operation wait for the row: what they decided on has been read by then. */
  awaitedBy(saves: number): Promise<void>;
  release(): Promise<void>;
}

/** Holds the operation's row, so that saves wait and reads do not. */
async function holdRow(): Promise<HeldRow> {
  const holder = await own.database.pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from sendonce.operations for update');
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return {
    // Not by the holder: within a transaction the view stands still.
    awaitedBy: (saves) => until(async () => (await own.database.pool.query(waiting)).rows.length === saves),
    release: async () => {
      await holder.query('commit');
      holder.release();
    },
  };
}

/** As Stripe writes one, of the refund as the fake made it. */
function refundEvent(id: string, type: string, status: string, change: object = {}): object {
  const metadata = marksOf(SHOP.operationId);
  const object = { id, object: 'refund', amount: 38_000, currency: 'twd', payment_intent: paymentIntent, metadata };
  return {
    ...{ id: 'evt_1', object: 'event', type, livemode: false, request: { id: null, idempotency_key: null } },
    data: { object: { ...object, status, ...change } },
  };
}

/** Without a Content-Length. Resolves with the status. */
function postChunked(url: string, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Transfer-Encoding': 'chunked', 'Stripe-Signature': 't=1,v1=00' };
    const sent = request(url, { method: 'POST', headers, agent: false });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.end(body);
  });
}
