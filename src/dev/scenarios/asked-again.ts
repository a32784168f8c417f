import { ONE_CASE, PAIR_OF_CASES } from '../shop/demo-order';
import type { Scenario } from './scenario';
import { confirmed } from './scenario-promise';
import { ask, askAndAgree } from './talk';

const ONCE = {
  effects: 1,
  sends: 1,
  operations: (orderId: string) => [confirmed(`refund-${orderId}-li_2`)],
} as const;

/** The same refund is asked for again, in a way that makes it look like another. */
export const ASKED_AGAIN: readonly Scenario[] = [
  {
    name: 'reworded',
    title: 'Asked again with another reason it is the same operation; with another quantity a conflict, nothing sent.',
    missing: PAIR_OF_CASES,
    asking: 'pieces',
    promise: { ...ONCE, codes: [['done'], ['already_done'], ['conflict']] },
    // The third, of another amount, included.
    naive: { effects: 3 },
    talk: async (stage) => {
      const chat = stage.open();
      await ask(chat, stage);
      await chat.say('Yes, please.');
      await chat.say('Did you refund them? They did not arrive.');
      await chat.say('One of them just came. Please refund only one.');
    },
  },
  {
    name: 'new-session',
    title: 'Another conversation of the same customer asks for the same refund: one operation.',
    missing: ONE_CASE,
    asking: 'one-line',
    promise: { ...ONCE, codes: [['done'], ['already_done']] },
    naive: { effects: 2 },
    talk: async (stage) => {
      await askAndAgree()(stage);
      stage.tell('(opens another conversation)', 'customer');
      await askAndAgree()(stage);
    },
  },
  {
    name: 'spelled',
    title: 'The order is written "#1043", " 1043 " and in full-width digits, in one step: one operation.',
    missing: ONE_CASE,
    asking: 'spelled',
    promise: { ...ONCE, codes: [['already_done', 'already_done', 'done']] },
    naive: { unplayable: 'the tool as commonly written takes no order number, so there is nothing to spell' },
    talk: askAndAgree(),
  },
];
