// Needs Postgres and Temporal.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Script } from '../../src/testing/scripted-model';
import { CountingProvider } from '../support/counting-provider';
import { payOut } from '../support/payout-tools';
import { createTestDatabase } from '../support/test-database';
import { turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

const payAnna: Script = ({ results }) =>
  results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' };

describe('a worker with another ledger on the turn’s task queue', () => {
  test('takes nothing of the turn and ends nothing; a worker of its own ledger carries it out once', async () => {
    const other = await createTestDatabase();
    try {
      const [foreign, own] = [new CountingProvider(), new CountingProvider()];
      const rig = await rigs.start({ tools: [payOut(own)], model: payAnna, worker: false });
      const settings = { ...rig.settings, database: { url: other.url } };
      const wrong = await rig.startWorker({ settings, tools: [payOut(foreign)] });
      const saying = rig.say('Pay Anna.');
      const handle = rig.temporal.workflow.getHandle(`session/${rig.tenant}/chat-1`);
      const failureOf = async () => {
        const { raw } = await handle.describe();
        return raw.pendingActivities?.[0]?.lastFailure ?? null;
      };
      await until(() =>
        failureOf()
          .then((failure) => failure !== null)
          .catch(() => false),
      );
      expect(await failureOf()).toMatchObject({
        applicationFailureInfo: { type: 'SENDONCE_LEDGER_MISMATCH', nonRetryable: false },
        message: expect.stringMatching(/^The turn is in the ledger \w{12}, and this worker has the ledger \w{12}\./),
      });
      await sleep(1_500);
      expect((await handle.describe()).status.name).toBe('RUNNING');
      await wrong.stop();
      await rig.startWorker();
      expect(await saying).toMatchObject({ text: 'Paid.', outcome: 'answered' });
      expect([foreign.sends, own.sends]).toEqual([[], ['payout-anna']]);
    } finally {
      await other.drop();
    }
  });

  test('side by side with the right one → the turn ends well, whichever asks first', async () => {
    const other = await createTestDatabase();
    try {
      const [foreign, own] = [new CountingProvider(), new CountingProvider()];
      const rig = await rigs.start({ tools: [payOut(own)], model: payAnna });
      await rig.startWorker({ settings: { ...rig.settings, database: { url: other.url } }, tools: [payOut(foreign)] });
      expect(await rig.say('Pay Anna.')).toMatchObject({ text: 'Paid.', outcome: 'answered' });
      expect([foreign.sends, own.sends]).toEqual([[], ['payout-anna']]);
    } finally {
      await other.drop();
    }
  });
});
