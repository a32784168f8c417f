import type { Scenario } from './scenario';

const ONE_SEND = { effects: 1, sends: 1, attempts: [1] };

/** Nothing, or one message between us and the provider, goes wrong. */
export const LOST_MESSAGES: readonly Scenario[] = [
  {
    name: 'happy',
    title: 'Nothing goes wrong.',
    asking: 'one-line',
    missingLines: 1,
    promise: ONE_SEND,
  },
  {
    name: 'lost-answer',
    title: 'The refund is made, its answer is lost, and the model asks again.',
    asking: 'one-line',
    missingLines: 1,
    promise: { ...ONE_SEND, naiveEffects: 2 },
    // All tries under the first key: an SDK that repeats by itself does not hear either.
    before: ({ fake }) => void fake.arm({ route: 'create', kind: 'drop-answer', forFirstKey: true }),
  },
  {
    name: 'lost-request',
    title: 'The request is lost; the query finds nothing, and the same key is sent again with the stored request.',
    asking: 'one-line',
    missingLines: 1,
    promise: { effects: 1, sends: 2, attempts: [2] },
    before: ({ fake }) => void fake.arm({ route: 'create', kind: 'drop-request' }),
  },
  {
    name: 'server-error',
    title: 'The refund is made and a 500 is stored with its key: no resend, no new key, the query finds it.',
    asking: 'one-line',
    missingLines: 1,
    promise: { ...ONE_SEND, naiveEffects: 2 },
    before: ({ fake }) => void fake.arm({ route: 'create', kind: 'server-error', effect: true }),
  },
  {
    name: 'twice-at-once',
    title: 'The model makes two identical calls in one step.',
    asking: 'twice-at-once',
    missingLines: 1,
    promise: { ...ONE_SEND, naiveEffects: 2 },
  },
  {
    name: 'two-items',
    title: 'Two different lines of the order, of the same amount.',
    asking: 'every-line',
    missingLines: 2,
    promise: { effects: 2, sends: 2, attempts: [1, 1] },
  },
];
