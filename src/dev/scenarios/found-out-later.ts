import { days, hours, minutes } from '../../operations/time';
import { ONE_CASE } from '../shop/demo-order';
import type { Scenario } from './scenario';
import { confirmed } from './scenario-promise';
import { untilState } from './stage';
import { askAndAgree } from './talk';

/** What the tool as commonly written lacks for most of what reconciliation does. */
export const NO_RECORD = {
  unplayable: 'the tool as commonly written keeps no record, so nothing is ever found out later',
} as const;

/** One attempt whose answer told nothing; who settles it, and how, is in the name of the scenario. */
const NO_CLEAR_ANSWER = { attempts: 1, answers: ['unknown'] } as const;

/** The model does not ask again, or asks too early: reconciliation finds out, and the customer is told. */
export const FOUND_OUT_LATER: readonly Scenario[] = [
  {
    name: 'never-asked-again',
    title: 'The answer is lost and the model does not ask again: it is found out, and the customer is told.',
    missing: ONE_CASE,
    asking: 'once',
    promise: {
      effects: 1,
      sends: 1,
      operations: (orderId) => [confirmed(`refund-${orderId}-li_2`, { ...NO_CLEAR_ANSWER, resolvedBy: 'query' })],
      codes: [['outcome_unknown']],
      followUps: 1,
    },
    naive: NO_RECORD,
    talk: async (stage) => {
      const answer = stage.fake.arm({ route: 'create', kind: 'drop-answer' });
      await askAndAgree()(stage);
      await answer.firstHit;
      await untilState(stage, 'confirmed');
    },
  },
  {
    name: 'stored-500',
    title: 'The refund is made and a 500 stored; list and events lag, and a signed webhook tells of it.',
    missing: ONE_CASE,
    asking: 'once',
    promise: {
      effects: 1,
      sends: 1,
      operations: (orderId) => [confirmed(`refund-${orderId}-li_2`, { ...NO_CLEAR_ANSWER, resolvedBy: 'webhook' })],
      codes: [['outcome_unknown']],
      followUps: 1,
    },
    naive: NO_RECORD,
    talk: async (stage) => {
      const { fake } = stage;
      fake.setLag({ list: days(1), events: days(1) });
      fake.arm({ route: 'create', kind: 'server-error', effect: true });
      await askAndAgree()(stage);
      await fake.webhooks.sendHeld();
      await untilState(stage, 'confirmed');
    },
  },
  {
    name: 'lagging-list',
    title: 'The answer is lost, the list lags: the same key gives a replay, which is read again before it counts.',
    missing: ONE_CASE,
    asking: 'one-line',
    promise: {
      effects: 1,
      sends: 2,
      operations: (orderId) => [
        confirmed(`refund-${orderId}-li_2`, { attempts: 2, answers: ['unknown', 'accepted'], resolvedBy: 'query' }),
      ],
      codes: [['outcome_unknown'], ['done']],
    },
    // Its SDK repeats the request under the same key.
    naive: { effects: 1 },
    talk: askAndAgree({
      before: ({ fake }) => {
        const late = minutes(1);
        fake.setLag({ list: late, events: late });
        fake.arm({ route: 'create', kind: 'drop-answer' });
      },
    }),
  },
  {
    name: 'pending-refund',
    title: 'The provider takes the refund as pending; two days later it has succeeded.',
    missing: ONE_CASE,
    asking: 'once',
    promise: {
      effects: 1,
      sends: 1,
      operations: (orderId) => [confirmed(`refund-${orderId}-li_2`, { answers: ['accepted'], resolvedBy: 'query' })],
      codes: [['in_progress']],
      followUps: 1,
    },
    naive: NO_RECORD,
    talk: async (stage) => {
      const { fake } = stage;
      fake.nextRefunds({ status: 'pending', reason: 'insufficient_funds' });
      await askAndAgree()(stage);
      const { externalId } = await untilState(stage, 'accepted');
      await stage.moveClock(days(2));
      fake.settle(externalId ?? '', 'succeeded');
      await stage.moveClock(hours(1));
      await untilState(stage, 'confirmed');
    },
  },
];
