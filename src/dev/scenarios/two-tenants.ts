import { ONE_CASE } from '../shop/demo-order';
import type { Scenario } from './scenario';
import { confirmed } from './scenario-promise';
import { ask } from './talk';

const OTHER_TENANT = 'outlet';

export const TWO_TENANTS: Scenario = {
  name: 'two-tenants',
  title: 'Two tenants on one Stripe account, the same order number: two operations, two keys.',
  missing: ONE_CASE,
  asking: 'one-line',
  promise: {
    effects: 2,
    sends: 2,
    operations: (orderId) =>
      ['shop', OTHER_TENANT].map((tenant) =>
        confirmed(`refund-${orderId}-li_2`, { key: `${tenant}~refund-${orderId}-li_2` }),
      ),
    codes: [['done'], ['done']],
  },
  naive: { effects: 2 },
  worker: { sharedAccount: true },
  setUp: async ({ addOrder }) => void (await addOrder(OTHER_TENANT)),
  talk: async (stage) => {
    for (const tenant of [stage.tenant, OTHER_TENANT]) {
      const chat = stage.open({ tenant });
      stage.tell(`A customer of the tenant ${tenant} writes.`, 'shop');
      await ask(chat, stage);
      await chat.say('Yes, please.');
    }
  },
};
