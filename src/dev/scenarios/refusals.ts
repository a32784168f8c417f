import { ONE_CASE, totalOf } from '../shop/demo-order';
import { formatAmount } from '../shop/order';
import type { Scenario } from './scenario';
import { confirmed } from './scenario-promise';
import { ask, askAndAgree } from './talk';

const REJECTED = { state: 'rejected', answers: ['rejected'] } as const;

/** What is left of the payment in over-refund, in minor units: less than the case. */
const LEFT = 18_000;

/** Stripe's words for a refund that the business refuses. A 402 is stored with the key, and repeated. */
const LOW_BALANCE = JSON.stringify({
  error: {
    type: 'invalid_request_error',
    code: 'balance_insufficient',
    message: 'Your account balance is too low for this refund.',
  },
});

/** Somebody says no: we before anything is sent, or the provider. */
export const REFUSALS: readonly Scenario[] = [
  {
    name: 'refused-before-send',
    title: 'A refund for someone else’s order: nothing is registered, nothing is sent, nothing is told of it.',
    missing: ONE_CASE,
    asking: 'as-told',
    promise: { effects: 0, sends: 0, operations: () => [], codes: [['invalid_input']] },
    naive: {
      unplayable: 'the tool as commonly written asks nobody whose order it is, and takes a payment intent from anyone',
    },
    talk: async (stage) => {
      const chat = stage.open({ customer: 'customer-78' });
      await chat.say(`I am customer-78. Please refund line li_2 of order ${stage.order.id}.`);
    },
  },
  {
    name: 'rejected-then-fixed',
    title: 'Refused by a business rule, for both of two twins; asked again when the cause is gone: a new generation.',
    missing: ONE_CASE,
    asking: 'twice-at-once',
    promise: {
      effects: 1,
      sends: 2,
      operations: (orderId) => [
        confirmed(`refund-${orderId}-li_2`, {
          key: `refund-${orderId}-li_2~2`,
          generation: 2,
          answers: ['rejected', 'confirmed'],
        }),
      ],
      codes: [['rejected', 'rejected'], ['done']],
    },
    naive: { effects: 1 },
    talk: async (stage) => {
      const { fake, tell } = stage;
      const chat = stage.open();
      await ask(chat, stage);
      fake.arm({ route: 'create', kind: 'status', status: 402, body: LOW_BALANCE, store: true, times: 99 });
      tell('The balance at the provider is too low for a refund.', 'shop');
      await chat.say('Yes, please.');
      fake.disarmAll();
      tell('The balance is topped up.', 'shop');
      await chat.say('Can you try that once more?');
    },
  },
  {
    name: 'over-refund',
    title: 'More than is left of the payment, part of which was refunded by hand: the provider refuses.',
    missing: ONE_CASE,
    asking: 'one-line',
    promise: {
      effects: 0,
      sends: 1,
      operations: (orderId) => [confirmed(`refund-${orderId}-li_2`, REJECTED)],
      codes: [['rejected']],
    },
    naive: { effects: 0 },
    setUp: ({ fake, order }) => void fake.refundByHand({ payment: order.paymentIntent, amount: totalOf(order) - LEFT }),
    talk: async (stage) => {
      const left = formatAmount(LEFT, stage.order.currency);
      stage.tell(`Most of order ${stage.order.id} was refunded by hand before; ${left} are left.`, 'shop');
      await askAndAgree()(stage);
    },
  },
];
