import { randomUUID } from 'node:crypto';
import type { FakeStripe } from '../../testing/fake-stripe/fake-stripe';
import type { Demo } from '../demo';
import { CURRENCY, demoOrder, SHOP_TENANT, totalOf } from '../shop/demo-order';
import type { Order } from '../shop/order';
import type { Scenario } from './scenario';

/** What is there before the run begins. */
export interface Scene {
  /** The shop's order. */
  readonly order: Order;
  readonly fake: FakeStripe;
  /** An order of the same number and lines at another tenant, paid for by a payment of its own. */
  addOrder(tenant: string): Promise<Order>;
}

/** Adds the scenario's orders and their payments; gives the shop's order, and the payments that the run is about. */
export async function setScene(
  { fake, orders }: Demo,
  { missing, setUp }: Scenario,
  orderId: string,
): Promise<{ readonly order: Order; readonly payments: readonly string[] }> {
  const payments: string[] = [];
  const addOrder = async (tenant: string) => {
    const order = demoOrder(orderId, `pi_${randomUUID().replaceAll('-', '')}`, missing);
    payments.push(order.paymentIntent);
    fake.addPayment({ id: order.paymentIntent, currency: CURRENCY, amount: totalOf(order) });
    await orders.add(tenant, order);
    return order;
  };
  const order = await addOrder(SHOP_TENANT);
  await setUp?.({ order, fake, addOrder });
  return { order, payments };
}
