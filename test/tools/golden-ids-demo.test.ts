// Needs Postgres.
import { join } from 'node:path';
import Stripe from 'stripe';
import type { Order } from '../../src/dev/shop/order';
import { Orders } from '../../src/dev/shop/orders';
import { refundLineItem } from '../../src/dev/shop/refund-line-item';
import { stripeRefunds } from '../../src/providers/stripe';
import { describeGoldenIds } from '../../src/testing/golden-ids/describe-golden-ids';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

/** The demo's tool, on a shop of its own: its IDs and intents are those of the first release, for ever. */
const SHOP = 'shop';
const ORDERS: readonly Order[] = ['1043', '1044', '10'].map((id) => ({
  ...{ id, customer: 'customer-77', paymentIntent: `pi_${id}`, currency: 'twd' },
  lines: [
    { id: 'li_1', title: 'earphones', quantity: 1, amount: 120_000, shipped: true },
    { id: 'li_2', title: 'earphone cases', quantity: 2, amount: 38_000, shipped: false },
    { id: '43-li_2', title: 'a line whose number has the separator in it', quantity: 1, amount: 100, shipped: false },
  ],
}));

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase({ migrated: false });
});
afterAll(() => test_.drop());

describeGoldenIds({
  tool: async () => {
    const orders = new Orders(test_.database.pool);
    await orders.prepare();
    for (const order of ORDERS) await orders.add(SHOP, order);
    return refundLineItem(orders, stripeRefunds({ connect: (config) => new Stripe('sk_test_1', config) }));
  },
  file: join(__dirname, 'golden-ids', 'refund-line-item.json'),
  caller: { tenant: SHOP, customer: 'customer-77' },
  cases: [
    { input: { orderId: '1043', lineItemId: 'li_2' } },
    { input: { orderId: '#1043', lineItemId: 'li_2', reason: 'It never came.' } },
    { input: { orderId: '1043', lineItemId: 'li_2', quantity: 2 } },
    { input: { orderId: '1043', lineItemId: 'li_2', quantity: 1 } },
    { input: { orderId: '1043', lineItemId: 'li_1' } },
    { input: { orderId: '1044', lineItemId: 'li_2' } },
    { input: { orderId: '10', lineItemId: '43-li_2' } },
  ],
});
