import type { Scenario } from './scenario';
import { untilEvents } from './stage';

export const NOT_SUBMITTED: Scenario = {
  name: 'not-submitted',
  title: 'The connection is refused twice, then all is well: Temporal retries, and the model never hears of it.',
  asking: 'one-line',
  missingLines: 1,
  promise: { effects: 1, sends: 1, attempts: [3] },
  before: async ({ fake, tell }) => {
    await fake.refuseConnections();
    tell('The provider takes no connections.');
  },
  during: async (stage) => {
    // Temporal waits a second and more between attempts: the door is open again well before the third.
    await untilEvents(stage, 'answered', 2, (event) => event.outcome.kind === 'not-submitted');
    await stage.fake.acceptConnections();
    stage.tell('The provider takes connections again.');
  },
};
