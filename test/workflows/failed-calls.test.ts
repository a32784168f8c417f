// Needs Postgres and Temporal.
import { ApplicationFailure } from '@temporalio/activity';
import type { Script } from '../../src/testing/scripted-model';
import { aroundActivity } from '../support/activity-faults';
import { CountingProvider } from '../support/counting-provider';
import { Gate } from '../support/gate';
import { scheduledActivities } from '../support/history';
import { payOut, readAccount } from '../support/payout-tools';
import { turnRigs } from '../support/turn-rig';

const rigs = turnRigs();
const forGood = () => ApplicationFailure.nonRetryable('It broke for good.');

/** Pays Anna once, and tells the customer what it was told. */
const payAnna: Script = ({ results }) =>
  results.length === 0
    ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] }
    : { text: results.map(({ text }) => text).join('\n') };

describe('an activity that fails for good', () => {
  test('before anything is registered → the call is closed, the operation dropped, and not_submitted is told', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({
      recordAs: 'closed-call',
      tools: [payOut(provider)],
      model: payAnna,
      workerOptions: aroundActivity('pay_out', () => Promise.reject(forGood())),
    });
    const reply = await rig.say('Pay Anna.');
    expect(reply).toMatchObject({ outcome: 'answered', text: expect.stringMatching(/^Not submitted: pay_out/) });
    expect((await rig.events('payout-anna')).map(({ kind }) => kind)).toEqual(['closed', 'dropped']);
    expect(provider.sends).toEqual([]);
    const types = scheduledActivities(await rig.history(reply.workflowId)).map(({ type }) => type);
    expect(types).toEqual(['sendonce.callModel', 'pay_out', 'sendonce.closeCall', 'sendonce.callModel']);
  });

  test('dropped, then asked for again → registered afresh under the same key, and sent once', async () => {
    const provider = new CountingProvider();
    let executions = 0;
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: ({ results }) =>
        results.length < 2 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: results[1]?.text ?? '' },
      workerOptions: aroundActivity('pay_out', ({ run }) => (++executions === 1 ? Promise.reject(forGood()) : run())),
    });
    const reply = await rig.say('Pay Anna.');
    expect(reply.text).toMatch(/^Done: pay_out, operation payout-anna, number po_1/);
    expect(provider.sends).toEqual(['payout-anna']);
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'confirmed', current: { number: 1 } });
  });

  test('in flight → outcome_unknown is told; the answer that comes later is recorded, and nothing is sent again', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    let zombie: Promise<unknown> | undefined;
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: payAnna,
      workerOptions: aroundActivity('pay_out', async ({ run }) => {
        zombie = run();
        await gate.reached;
        throw forGood();
      }),
    });
    const reply = await rig.say('Pay Anna.');
    expect(reply).toMatchObject({ outcome: 'answered', text: expect.stringMatching(/^Outcome unknown: pay_out/) });
    gate.open();
    await zombie;
    expect(provider.effects).toHaveLength(1);
    expect((await rig.events('payout-anna')).map(({ kind }) => kind)).toEqual([
      'registered',
      'marked',
      'closed',
      'answered',
    ]);
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'confirmed', externalId: 'po_1' });
    // What the model was told stays what it was told.
    const [turn] = await rig.transcript();
    expect(turn?.steps[0]?.results).toMatchObject([{ reply: { code: 'outcome_unknown' } }]);
  });

  test('a zombie of a closed call, awake before its mark → marks nothing and sends nothing', async () => {
    const provider = new CountingProvider();
    const gate = new Gate();
    let resolved = 0;
    let zombie: Promise<unknown> | undefined;
    const rig = await rigs.start({
      // The first `resolve` is the plan's, the second one stands right before the mark.
      tools: [payOut(provider, () => (++resolved === 2 ? gate.pass() : undefined))],
      model: payAnna,
      workerOptions: aroundActivity('pay_out', async ({ run }) => {
        zombie = run();
        await gate.reached;
        throw forGood();
      }),
    });
    const reply = await rig.say('Pay Anna.');
    expect(reply.text).toMatch(/^Not submitted: pay_out/);
    gate.open();
    await zombie;
    expect(provider.sends).toEqual([]);
    expect((await rig.events('payout-anna')).map(({ kind }) => kind)).toEqual(['closed', 'dropped']);
  });

  test('a zombie of a closed call whose operation another call has sent since → hears of it and sends nothing', async () => {
    const provider = new CountingProvider();
    const gate = new Gate();
    let resolved = 0;
    let executions = 0;
    let zombie: Promise<unknown> | undefined;
    const rig = await rigs.start({
      tools: [payOut(provider, () => (++resolved === 2 ? gate.pass() : undefined))],
      model: ({ results }) =>
        results.length < 2 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: results[1]?.text ?? '' },
      workerOptions: aroundActivity('pay_out', async ({ run }) => {
        if (++executions > 1) return run();
        zombie = run();
        await gate.reached;
        throw forGood();
      }),
    });
    expect((await rig.say('Pay Anna.')).text).toMatch(/^Done: pay_out/);
    gate.open();
    expect(await zombie).toMatchObject({ code: 'not_submitted' });
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('beside one that goes well → each call gets its own truth', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({
      recordAs: 'closed-read',
      tools: [payOut(provider), readAccount()],
      model: ({ results }) =>
        results.length === 0
          ? {
              calls: [
                { tool: 'read_account', input: { of: 'anna' } },
                { tool: 'pay_out', input: { to: 'anna' } },
              ],
            }
          : { text: results.map(({ text, isError }) => `${isError}: ${text}`).join('\n') },
      workerOptions: aroundActivity('read_account', () => Promise.reject(forGood())),
    });
    const { text } = await rig.say('Pay Anna.');
    expect(text.split('\n')).toEqual([
      'true: read_account could not be read: It broke for good.',
      'false: Done: pay_out, operation payout-anna, number po_1. It took effect once.',
    ]);
  });
});

describe('an execution that is lost', () => {
  test('after its answer was recorded → run again, it tells the same and sends nothing', async () => {
    const provider = new CountingProvider();
    const attempts: number[] = [];
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: payAnna,
      workerOptions: aroundActivity('pay_out', async ({ attempt, run }) => {
        attempts.push(attempt);
        const result = await run();
        if (attempt === 1) throw ApplicationFailure.retryable('Its completion was lost.');
        return result;
      }),
    });
    expect((await rig.say('Pay Anna.')).text).toMatch(/^Done: pay_out, operation payout-anna, number po_1/);
    expect(attempts).toEqual([1, 2]);
    expect(provider.sends).toEqual(['payout-anna']);
    expect((await rig.events('payout-anna')).map(({ kind }) => kind)).toEqual(['registered', 'marked', 'answered']);
  });

  test('while its send is under way → the next one finds the effect, and nothing is sent again', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdAnswer('anna');
    let lost: Promise<unknown> | undefined;
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: payAnna,
      workerOptions: aroundActivity('pay_out', async ({ attempt, run }) => {
        if (attempt > 1) return run();
        lost = run();
        await gate.reached;
        throw ApplicationFailure.retryable('It was lost.');
      }),
    });
    expect((await rig.say('Pay Anna.')).text).toMatch(/^Done: pay_out, operation payout-anna, number po_1/);
    gate.open();
    await lost;
    expect(provider.sends).toEqual(['payout-anna']);
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'confirmed', externalId: 'po_1', alarms: [] });
  });
});

describe('not submitted', () => {
  test('turned away once → Temporal runs the activity again, and the model never hears of it', async () => {
    const provider = new CountingProvider();
    provider.treat('anna', 'turn-away');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    expect((await rig.say('Pay Anna.')).text).toMatch(/^Done: pay_out/);
    expect(provider.sends).toEqual(['payout-anna']);
    const operation = await rig.operation('payout-anna');
    expect(operation?.current.attempts.map(({ call, outcome }) => [call.activityAttempt, outcome?.kind])).toEqual([
      [1, 'not-submitted'],
      [2, 'confirmed'],
    ]);
  });

  test('turned away as often as may be → not_submitted is told, and the operation is dropped', async () => {
    const provider = new CountingProvider();
    provider.treat('anna', 'turn-away', 'turn-away');
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: payAnna,
      limits: { notSubmittedAttempts: 2 },
    });
    const reply = await rig.say('Pay Anna.');
    expect(reply.text).toMatch(
      /^Not submitted: pay_out, operation payout-anna\. Nothing left .* connection was refused/,
    );
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'dropped' });
    expect(provider.sends).toEqual([]);
    const types = scheduledActivities(await rig.history(reply.workflowId)).map(({ type }) => type);
    expect(types).toEqual(['sendonce.callModel', 'pay_out', 'sendonce.callModel']);
  });
});
