// Needs nothing but a local port: the driver, the rules and stripeRefunds against the fake Stripe.
import Stripe from 'stripe';
import { LateAnswers } from '../../src/activities/late-answers';
import { type PerformEnd, perform } from '../../src/activities/perform';
import { fold, type Operation } from '../../src/operations/fold';
import { plannedGeneration } from '../../src/operations/plan';
import { hours, milliseconds } from '../../src/operations/time';
import { stripeRefunds } from '../../src/providers/stripe';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger';

const OPERATION_ID = 'refund-1043-li_2';
const REF = { tenant: 'shop', operationId: OPERATION_ID };
const LIMITS = {
  joinWithin: milliseconds(50),
  joinPollEvery: milliseconds(10),
  notSubmittedAttempts: 3,
  leftBehindAfter: milliseconds(900_000),
};

let fake: FakeStripe;
let paymentIntent: string;
let ledger: InMemoryLedger;
let calls = 0;

beforeEach(async () => {
  fake = await startFakeStripe();
  ({ id: paymentIntent } = fake.addPayment({ amount: 158_000, currency: 'twd' }));
  ledger = new InMemoryLedger(Date.now());
});
afterEach(() => fake.close());

function operation(): Operation | null {
  return fold(ledger.read(REF).events);
}

/** A new call for the refund, planned for what is the operation's generation now. */
function call(): Promise<PerformEnd> {
  const { host, port } = fake;
  const provider = stripeRefunds({
    connect: (config) => new Stripe('sk_test_1', { ...config, host, port, protocol: 'http' }),
  });
  calls += 1;
  return perform(
    {
      ...{ operationId: OPERATION_ID, tool: 'refund_line_item', provider: provider.name, purpose: 'send' },
      ...{ generation: plannedGeneration(operation()), intent: '{}', keyPrefix: '', limits: LIMITS },
      call: { callId: `chat/1/${calls}/0`, activityAttempt: 1, sessionId: 'chat', customer: 'customer-77' },
      ...{ contract: provider.contract, hasQuery: true },
    },
    {
      ...{ tenant: 'shop', ledger, provider, lateAnswers: new LateAnswers(ledger, () => {}) },
      checkCancelled: () => {},
      prepare: async (key) => ({
        kind: 'prepared',
        intent: '{}',
        request: provider.encode(
          { paymentIntent, amount: 38_000, currency: 'twd' },
          { operationId: OPERATION_ID, key },
        ),
      }),
    },
  );
}

describe('a stored answer that tells of a success', () => {
  test('which has failed since → an alarm, and no next generation', async () => {
    fake.arm({ kind: 'drop-answer', route: 'create' });
    await expect(call()).resolves.toMatchObject({ reply: { code: 'outcome_unknown' } });
    const [refund] = fake.report().effects;
    fake.settle(`${refund?.id}`, 'failed', 'lost_or_stolen_card');
    // The list does not show it yet, which the contract allows: so the same key is sent again.
    fake.setLag({ list: hours(1), events: hours(1) });
    await expect(call()).resolves.toMatchObject({ reply: { code: 'escalated' } });
    expect(operation()).toMatchObject({
      state: 'escalated',
      alarms: [`${refund?.id} succeeded and failed.`],
    });
    expect(plannedGeneration(operation())).toBe(1);
    await call();
    expect(fake.report().effects).toHaveLength(1);
  });

  test('which is still one → done', async () => {
    fake.arm({ kind: 'drop-answer', route: 'create' });
    await call();
    fake.setLag({ list: hours(1), events: hours(1) });
    await expect(call()).resolves.toMatchObject({ reply: { code: 'done' } });
    expect(operation()).toMatchObject({ state: 'confirmed', alarms: [] });
  });
});

describe('an answer to our key that is about something else', () => {
  const another = (changes: object) =>
    JSON.stringify({
      ...{ id: 're_9', object: 'refund', amount: 38_000, currency: 'twd', payment_intent: paymentIntent },
      ...{ status: 'succeeded', metadata: { op_id: OPERATION_ID, op_key: OPERATION_ID } },
      ...changes,
    });

  test.each<[string, object, RegExp]>([
    ['another amount', { amount: 158_000 }, /re_9, but its amount is 158000, not 38000/],
    ['another payment', { payment_intent: 'pi_other' }, /re_9, but its payment is pi_other/],
    ['another currency', { currency: 'eur' }, /re_9, but its currency is eur, not twd/],
    ['another operation', { metadata: { op_id: 'refund-9', op_key: OPERATION_ID } }, /re_9, but its op_id is refund-9/],
  ])('%s → before a person, and the next call sends nothing', async (_what, changes, reason) => {
    fake.arm({ kind: 'status', route: 'create', status: 200, body: another(changes) });
    await expect(call()).resolves.toMatchObject({ reply: { code: 'escalated', externalId: null } });
    expect(operation()).toMatchObject({ state: 'escalated', reason: expect.stringMatching(reason) });
    await expect(call()).resolves.toMatchObject({ reply: { code: 'escalated' } });
    expect(fake.report().effects).toEqual([]);
  });

  test('our key is known from another request → before a person', async () => {
    const body = JSON.stringify({ error: { type: 'idempotency_error', message: 'Keys for idempotent requests …' } });
    fake.arm({ kind: 'status', route: 'create', status: 400, body });
    await expect(call()).resolves.toMatchObject({ reply: { code: 'escalated' } });
    expect(operation()).toMatchObject({ state: 'escalated', reason: 'Stripe knows our key from another request.' });
  });
});
