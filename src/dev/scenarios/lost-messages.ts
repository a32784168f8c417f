import { ONE_CASE, TWO_CASES } from '../shop/demo-order';
import type { Scenario } from './scenario';
import { confirmed } from './scenario-promise';
import { askAndAgree } from './talk';

const HEARD = {
  effects: 1,
  sends: 1,
  operations: (orderId: string) => [confirmed(`refund-${orderId}-li_2`)],
  codes: [['done']],
} as const;

const FOUND_BY_QUERY = {
  effects: 1,
  sends: 1,
  operations: (orderId: string) => [confirmed(`refund-${orderId}-li_2`, { answers: ['unknown'], resolvedBy: 'query' })],
  codes: [['outcome_unknown'], ['already_done']],
} as const;

/** Nothing, or one message between us and the provider, goes wrong. */
export const LOST_MESSAGES: readonly Scenario[] = [
  {
    name: 'happy',
    title: 'Nothing goes wrong.',
    missing: ONE_CASE,
    asking: 'one-line',
    promise: HEARD,
    naive: { effects: 1 },
    talk: askAndAgree(),
  },
  {
    name: 'lost-answer',
    title: 'The refund is made, its answer is lost, and the model asks again.',
    missing: ONE_CASE,
    asking: 'one-line',
    promise: FOUND_BY_QUERY,
    naive: { effects: 2 },
    talk: askAndAgree({
      // All tries under the first key: an SDK that repeats by itself does not hear either.
      before: ({ fake }) => void fake.arm({ route: 'create', kind: 'drop-answer', forFirstKey: true }),
    }),
  },
  {
    name: 'lost-request',
    title: 'The request is lost; the query finds nothing, and the same key is sent again with the stored request.',
    missing: ONE_CASE,
    asking: 'one-line',
    promise: {
      effects: 1,
      sends: 2,
      operations: (orderId) => [
        confirmed(`refund-${orderId}-li_2`, { attempts: 2, answers: ['unknown', 'confirmed'] }),
      ],
      codes: [['outcome_unknown'], ['done']],
    },
    naive: { effects: 1 },
    talk: askAndAgree({
      before: ({ fake }) => void fake.arm({ route: 'create', kind: 'drop-request' }),
    }),
  },
  {
    name: 'server-error',
    title: 'The refund is made and a 500 is stored with its key: no resend, no new key, the query finds it.',
    missing: ONE_CASE,
    asking: 'one-line',
    promise: FOUND_BY_QUERY,
    naive: { effects: 2 },
    talk: askAndAgree({
      before: ({ fake }) => void fake.arm({ route: 'create', kind: 'server-error', effect: true }),
    }),
  },
  {
    name: 'twice-at-once',
    title: 'The model makes two identical calls in one step.',
    missing: ONE_CASE,
    asking: 'twice-at-once',
    promise: { ...HEARD, codes: [['already_done', 'done']] },
    naive: { effects: 2 },
    talk: askAndAgree(),
  },
  {
    name: 'two-items',
    title: 'Two different lines of the order, of the same amount.',
    missing: TWO_CASES,
    asking: 'every-line',
    promise: {
      effects: 2,
      sends: 2,
      operations: (orderId) => [confirmed(`refund-${orderId}-li_2`), confirmed(`refund-${orderId}-li_3`)],
      codes: [['done', 'done']],
    },
    naive: { effects: 2 },
    talk: askAndAgree(),
  },
];
