// Needs Postgres and time skipping.
import { APICallError } from 'ai';
import type { Script } from '../../src/testing/scripted-model';
import { CountingProvider } from '../support/counting-provider';
import { payOut, readAccount } from '../support/payout-tools';
import { turnRigs } from '../support/turn-rig';

const rigs = turnRigs({ timeSkipping: true });

const payAnna: Script = ({ results }) =>
  results.length === 0
    ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] }
    : { text: results.map(({ text }) => text).join('\n') };

/** This server waits for the cache of a worker that has stopped. */
const WITHOUT_CACHE = { maxCachedWorkflows: 0 };

describe('a call that is tried for as long as it may be', () => {
  test('its resolve fails all the while → closed, never registered, not_submitted is told', async () => {
    const provider = new CountingProvider();
    let resolved = 0;
    const rig = await rigs.start({
      tools: [
        payOut(provider, () => {
          if (++resolved > 1) throw new Error('The shop is down.');
        }),
      ],
      model: payAnna,
    });
    const reply = await rigs.skippingTime(rig.say('Pay Anna.'));
    expect(reply).toMatchObject({ outcome: 'answered', text: expect.stringMatching(/^Not submitted: pay_out/) });
    expect(resolved).toBeGreaterThan(5);
    expect((await rig.events('payout-anna')).map(({ kind }) => kind)).toEqual(['closed', 'dropped']);
    expect(provider.sends).toEqual([]);
  });

  test('a read-only tool that fails all the while → the model is told that it could not be read', async () => {
    const rig = await rigs.start({
      tools: [
        readAccount(() => {
          throw new Error('The bank is closed.');
        }),
      ],
      model: ({ results }) =>
        results.length === 0
          ? { calls: [{ tool: 'read_account', input: { of: 'anna' } }] }
          : { text: results.map(({ text, isError }) => `${isError}: ${text}`).join('\n') },
    });
    const reply = await rigs.skippingTime(rig.say('What has Anna?'));
    expect(reply.text).toMatch(/^true: read_account could not be read: /);
  });

  test('no worker has the tool any more → the call is closed by one that lacks it, and the ledger’s truth is told', async () => {
    const provider = new CountingProvider();
    provider.treat('anna', 'turn-away');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna, worker: false });
    const old = await rig.startWorker({ workerOptions: WITHOUT_CACHE });
    const saying = rig.say('Pay Anna.');
    const gate = provider.holdBeforeSend('anna');
    await gate.reached;
    const stopped = old.stop();
    gate.open();
    await stopped;
    await rig.startWorker({ tools: [] });
    const reply = await rigs.skippingTime(saying);
    expect(reply.text).toMatch(/^Not submitted: pay_out, operation payout-anna/);
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'dropped' });
  });
});

describe('a model that gives no answer for as long as it may', () => {
  test('500 all the while → the turn ends failed, and the customer is told', async () => {
    let asked = 0;
    const rig = await rigs.start({
      model: () => {
        asked++;
        throw new APICallError({
          message: 'Overloaded.',
          url: 'http://127.0.0.1/v1/messages',
          requestBodyValues: {},
          statusCode: 529,
          isRetryable: true,
        });
      },
    });
    const reply = await rigs.skippingTime(rig.say('Hello.'));
    expect(reply).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/^Something went wrong/) });
    expect(asked).toBeGreaterThan(10);
  });
});
