// Needs Postgres: the demo's tool on its own shop, and the fake Stripe, through the kit.
import Stripe from 'stripe';
import { CUSTOMER, demoOrder, PAIR_OF_CASES, SHOP_TENANT, totalOf } from '../../src/dev/shop/demo-order';
import { Orders } from '../../src/dev/shop/orders';
import { refundLineItem } from '../../src/dev/shop/refund-line-item';
import { stripeRefunds } from '../../src/providers/stripe';
import { describeOperation, fakeStripeDownstream } from '../../src/testing';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const ORDERS = 200;

let own: TestDatabase;
let orders: Orders;

describeOperation({
  name: 'the tool refund_line_item',
  downstream: fakeStripeDownstream(async (fake) => {
    own = await createTestDatabase();
    orders = new Orders(own.database.pool);
    await orders.prepare();
    for (let nth = 1; nth <= ORDERS; nth++) {
      const order = demoOrder(String(1_000 + nth), `pi_${nth}`, PAIR_OF_CASES);
      fake.addPayment({ id: order.paymentIntent, amount: totalOf(order), currency: order.currency });
      await orders.add(SHOP_TENANT, order);
    }
    await orders.add(SHOP_TENANT, { ...demoOrder('9000', 'pi_9000', PAIR_OF_CASES), customer: 'customer-88' });
  }),
  tool: ({ host, port, protocol }) =>
    refundLineItem(
      orders,
      stripeRefunds({ connect: (config) => new Stripe('sk_test_1', { ...config, host, port, protocol }) }),
    ),
  caller: { tenant: SHOP_TENANT, customer: CUSTOMER },
  input: (nth) => ({ orderId: String(1_000 + nth), lineItemId: 'li_2' }),
  reworded: (input) => {
    const { orderId, ...rest } = input as { orderId: string };
    return { ...rest, orderId: ` #${orderId} `, reason: 'It never came.' };
  },
  changed: (input) => ({ ...(input as object), quantity: 1 }),
  refused: { orderId: '9000', lineItemId: 'li_2' },
  patienceMs: 300,
});

afterAll(() => own?.drop());
