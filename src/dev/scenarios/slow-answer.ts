import { ONE_CASE } from '../shop/demo-order';
import type { Scenario } from './scenario';
import { confirmed } from './scenario-promise';
import { untilEvents } from './stage';
import { askAndAgree } from './talk';

export const SLOW_ANSWER: Scenario = {
  name: 'slow-answer',
  title: 'The refund is made, its answer comes after the time-out and is kept as evidence: it settles the operation.',
  missing: ONE_CASE,
  asking: 'one-line',
  promise: {
    effects: 1,
    sends: 1,
    // Two answers to one attempt: none in time, and the late one.
    operations: (orderId) => [confirmed(`refund-${orderId}-li_2`, { answers: ['unknown', 'confirmed'] })],
    codes: [['outcome_unknown'], ['already_done']],
  },
  naive: { effects: 2 },
  worker: { sendWithinMs: 2_000, answerWithinMs: 1_000, hold: 'heard-model' },
  talk: askAndAgree({
    // All tries under the first key, as in lost-answer.
    before: ({ fake }) => void fake.arm({ route: 'create', kind: 'hold-answer', forFirstKey: true }),
    during: async (stage) => {
      const { fake, worker, tell } = stage;
      await untilEvents(stage, 'answered', 1, ({ outcome }) => outcome.kind === 'unknown');
      // The model thinks for as long as the answer takes: else it would race the query of the second call.
      await worker.holding;
      tell('lets go of the answer, after its time-out', 'provider');
      fake.releaseAll();
      await untilEvents(stage, 'answered', 1, ({ outcome }) => outcome.kind === 'confirmed');
      worker.go();
    },
  }),
};
