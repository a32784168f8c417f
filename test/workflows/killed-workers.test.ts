// Needs Postgres and Temporal.
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import { scheduledActivities } from '../support/history';
import { KILLED_LIMITS, refund, refundWhatIsSaid } from '../support/killable-worker';
import { turnRigs } from '../support/turn-rig';
import { startWorkerChild, type WorkerChild } from '../support/worker-child';

const rigs = turnRigs();
let stripe: FakeStripe;
let child: WorkerChild | undefined;

beforeAll(async () => {
  stripe = await startFakeStripe({});
});
afterEach(() => {
  child?.process.kill('SIGKILL');
});
afterAll(() => stripe.close());

describe('kill -9 of a worker', () => {
  test('in a model call and between mark and send → another one asks the model again, and sends the same key once', async () => {
    stripe.addPayment({ id: 'pi_1', amount: 100, currency: 'twd' });
    const rig = await rigs.start({
      tools: [refund(stripe.port)],
      model: ({ said, ...view }) =>
        said.includes('Think.') ? { text: 'Thought.' } : refundWhatIsSaid({ said, ...view }),
      limits: KILLED_LIMITS,
      worker: false,
    });
    const { settings, taskQueue } = rig;
    child = startWorkerChild({ settings, taskQueue, stripePort: stripe.port });
    await child.said('ready');
    const thinking = rig.say('Think.', { sessionId: 'chat-thinking' });
    const refunding = rig.say('pi_1', { sessionId: 'chat-refunding' });
    await Promise.all([child.said('thinking'), child.said('sending')]);
    child.process.kill('SIGKILL');
    await rig.startWorker();

    const refunded = await refunding;
    expect(refunded.text).toMatch(/^Done: refund, operation refund-pi_1, number re_/);
    expect(stripe.report()).toMatchObject({ effects: [{}], sends: [{ key: 'refund-pi_1' }] });
    const operation = await rig.operation('refund-pi_1');
    expect(operation?.current.attempts.map(({ call, outcome }) => [call.activityAttempt, outcome?.kind])).toEqual([
      [1, undefined],
      [2, 'confirmed'],
    ]);
    const types = scheduledActivities(await rig.history(refunded.workflowId)).map(({ type }) => type);
    expect(types).toEqual(['sendonce.callModel', 'refund', 'sendonce.callModel']);

    // A model call may be silent for half a minute before its worker passes for dead.
    expect(await thinking).toMatchObject({ text: 'Thought.', outcome: 'answered' });
  }, 90_000);
});
