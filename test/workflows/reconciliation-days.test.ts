// Needs Postgres and time skipping.
import { hours } from '../../src/operations/time';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import { refund, refundWhatIsSaid } from '../support/killable-worker';
import { turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs({ timeSkipping: true });
let stripe: FakeStripe;

beforeEach(async () => {
  stripe = await startFakeStripe({});
});
afterEach(() => stripe.close());

test('key-expired: lost, the provider out of reach for 25 hours, then an empty query → before a person, sent once', async () => {
  stripe.addPayment({ id: 'pi_1', amount: 100, currency: 'twd' });
  const escalated: string[] = [];
  const rig = await rigs.start({
    tools: [refund(stripe.port)],
    model: refundWhatIsSaid,
    worker: false,
  });
  await rig.startWorker({
    reconciliation: { every: hours(1) },
    onEscalated: ({ reason }) => void escalated.push(reason),
  });
  stripe.arm({ route: 'create', kind: 'drop-request' });
  expect((await rig.say('pi_1')).text).toMatch(/^Outcome unknown/);
  await stripe.refuseConnections();
  for (let hour = 5; hour <= 25; hour += 5) {
    await rig.sleep(hours(5));
    stripe.advanceClock(hours(5));
  }
  await stripe.acceptConnections();
  await until(async () => {
    await rig.sleep(hours(1));
    return escalated.length > 0;
  });
  const operation = await rig.operation('refund-pi_1');
  expect(operation).toMatchObject({ state: 'escalated', alarms: [] });
  expect(escalated).toHaveLength(1);
  expect(stripe.report()).toMatchObject({ effects: [], sends: [{ key: 'refund-pi_1' }] });
  // Looks that tell the same are no events.
  expect((await rig.events('refund-pi_1')).length).toBeLessThan(10);
});
