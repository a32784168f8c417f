import { ONE_CASE } from '../shop/demo-order';
import type { Scenario } from './scenario';
import { confirmed } from './scenario-promise';
import { untilEvents } from './stage';
import { askAndAgree } from './talk';

export const NOT_SUBMITTED: Scenario = {
  name: 'not-submitted',
  title: 'The connection is refused twice, then all is well: Temporal retries, and the model never hears of it.',
  missing: ONE_CASE,
  asking: 'one-line',
  promise: {
    effects: 1,
    sends: 1,
    operations: (orderId) => [
      confirmed(`refund-${orderId}-li_2`, {
        attempts: 3,
        answers: ['not-submitted', 'not-submitted', 'confirmed'],
      }),
    ],
    codes: [['done']],
  },
  naive: { effects: 1 },
  talk: askAndAgree({
    before: async ({ guarded, fake, tell }) => {
      // Nothing tells when the tool as commonly written has tried twice.
      if (!guarded) return;
      await fake.refuseConnections();
      tell('The provider takes no connections.');
    },
    during: async (stage) => {
      // Temporal waits a second and more between attempts: the door is open again well before the third.
      await untilEvents(stage, 'answered', 2, (event) => event.outcome.kind === 'not-submitted');
      await stage.fake.acceptConnections();
      stage.tell('The provider takes connections again.');
    },
  }),
};
