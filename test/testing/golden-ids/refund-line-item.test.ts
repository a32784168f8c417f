// Needs Postgres.
import { join } from 'node:path';
import Stripe from 'stripe';
import { demoOrder, PAIR_OF_CASES, SHOP_TENANT, TWO_CASES } from '../../../src/dev/shop/demo-order';
import { Orders } from '../../../src/dev/shop/orders';
import { refundLineItem } from '../../../src/dev/shop/refund-line-item';
import { id } from '../../../src/operations/operation-id';
import { stripeRefunds } from '../../../src/providers/stripe';
import { checkGoldenIds, describeGoldenIds, type GoldenIdsOptions } from '../../../src/testing';
import type { OperationPlan } from '../../../src/tools/tool';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** The demo's tool, as a user's own test file has it: jest runs what it registers. */
let testDatabase: TestDatabase;
let orders: Orders;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ migrated: false });
  orders = new Orders(testDatabase.database.pool);
  await orders.prepare();
  await orders.add(SHOP_TENANT, demoOrder('1043', 'pi_1043', TWO_CASES));
  await orders.add(SHOP_TENANT, demoOrder('1044', 'pi_1044', PAIR_OF_CASES));
});
afterAll(() => testDatabase.drop());

const provider = stripeRefunds({ connect: (config) => new Stripe('sk_test_1', config) });

const GOLDEN: GoldenIdsOptions = {
  tool: () => refundLineItem(orders, provider),
  file: join(__dirname, 'refund-line-item.json'),
  caller: { tenant: SHOP_TENANT, customer: 'customer-77' },
  cases: [
    {
      inputs: [
        { orderId: '1043', lineItemId: 'li_2' },
        { orderId: '#1043', lineItemId: 'li_2' },
        { orderId: ' 1043 ', lineItemId: 'li_2', reason: 'never shipped' },
        { orderId: '１０４３', lineItemId: 'li_2', quantity: 1 },
      ],
    },
    { inputs: [{ orderId: '1043', lineItemId: 'li_3' }] },
    {
      inputs: [
        { orderId: '1044', lineItemId: 'li_2' },
        { orderId: '1044', lineItemId: 'li_2', quantity: 2 },
      ],
      conflicts: [{ orderId: '1044', lineItemId: 'li_2', quantity: 1 }],
    },
  ],
  // True for the run that adds a case: where CI is not set, a file that somebody deleted would be written anew.
  record: false,
};

describeGoldenIds(GOLDEN);

/** The tool as a later release might have it, against the committed table. */
async function problemsOf(change: (plan: OperationPlan) => Partial<OperationPlan>): Promise<readonly string[]> {
  const tool = refundLineItem(orders, provider);
  const released: typeof tool = {
    ...tool,
    plan: async (input, caller) => {
      const plan = await tool.plan(input, caller);
      return { ...plan, ...change(plan) };
    },
  };
  const { findings } = await checkGoldenIds({ ...GOLDEN, tool: released });
  return findings.map(({ problem }) => problem);
}

test('the committed table tells the tool from one with another formula, and from one with another intent', async () => {
  const rows = 8;
  expect(await problemsOf(() => ({}))).toEqual([]);
  expect(await problemsOf(({ operationId }) => ({ operationId: id`refund-${operationId}` }))).toEqual(
    Array(rows).fill('id-changed'),
  );
  expect(await problemsOf(({ intent }) => ({ intent: `{"asked":${intent}}` }))).toEqual(
    Array(rows).fill('intent-changed'),
  );
});
