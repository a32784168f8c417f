import { NOTHING_MISSING } from '../shop/demo-order';
import { formatAmount } from '../shop/order';
import type { Scenario } from './scenario';
import { confirmed } from './scenario-promise';

/** As the customer confirms them, in minor units. */
const REQUESTS = [
  { id: 'req_A', amount: 30_000 },
  { id: 'req_B', amount: 20_000 },
  { id: 'req_C', amount: 10_000 },
] as const;

export const THREE_REQUESTS: Scenario = {
  name: 'three-requests',
  title: 'Three refund requests on one order, each an operation of its own by the ID that the shop gave it.',
  missing: NOTHING_MISSING,
  asking: 'requests',
  promise: {
    effects: 3,
    sends: 3,
    operations: (orderId) => REQUESTS.map(({ id }) => confirmed(`refund-${orderId}-${id}`)),
    codes: [['done', 'done', 'done']],
  },
  naive: { effects: 3 },
  talk: async ({ open, order, requests, tenant, tell }) => {
    const chat = open();
    await chat.say(`Three things of order ${order.id} came damaged. Can I have 300, 200 and 100 TWD back?`);
    for (const request of REQUESTS) await requests.confirm(tenant, order.id, request);
    tell(
      `The customer has confirmed three refunds; they are stored as ${REQUESTS.map(({ id }) => id).join(', ')}.`,
      'shop',
    );
    const confirmedOnes = REQUESTS.map(({ id, amount }) => `${id} (${formatAmount(amount, order.currency)})`);
    await chat.say(`I have confirmed ${confirmedOnes.join(', ')}.`);
  },
};
