// Needs Postgres and Temporal.

import { type Script, scriptedModel } from '../../src/testing/scripted-model';
import type { ToolScheduling } from '../../src/tools/scheduling';
import type { Tool } from '../../src/tools/tool';
import { startWorker } from '../../src/worker';
import { CountingProvider } from '../support/counting-provider';
import { activityQueues } from '../support/history';
import { payOut, readAccount } from '../support/payout-tools';
import { turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

const PAYEES = ['anna', 'bob', 'carol'];
const payAll: Script = ({ results }) =>
  results.length === 0 ? { calls: PAYEES.map((to) => ({ tool: 'pay_out', input: { to } })) } : { text: 'Paid.' };

let queues = 0;
const queueName = () => `payouts-${process.pid}-${++queues}`;
const scheduled = (provider: CountingProvider, scheduling: ToolScheduling): Tool => ({
  ...payOut(provider),
  scheduling,
});

describe('a tool with a task queue of its own', () => {
  test('its calls go there and nothing else does; one process serves both', async () => {
    const provider = new CountingProvider();
    const taskQueue = queueName();
    const rig = await rigs.start({ tools: [scheduled(provider, { taskQueue }), readAccount()], model: payAll });
    const { workflowId } = await rig.say('Pay all.');
    expect(activityQueues(await rig.history(workflowId))).toEqual([
      ['sendonce.callModel', rig.taskQueue],
      ...PAYEES.map(() => ['pay_out', taskQueue]),
      ['sendonce.callModel', rig.taskQueue],
    ]);
    expect(provider.effects).toHaveLength(3);
  });

  test('maxConcurrent 1 → the next call is not begun before the one before has ended', async () => {
    const provider = new CountingProvider();
    const gates = new Map(PAYEES.map((to) => [to, provider.holdAnswer(to)]));
    const rig = await rigs.start({
      tools: [scheduled(provider, { taskQueue: queueName(), maxConcurrent: 1 })],
      model: payAll,
    });
    const saying = rig.say('Pay all.');
    for (let sent = 1; sent <= PAYEES.length; sent++) {
      await until(() => provider.sends.length === sent);
      const marked = await Promise.all(
        PAYEES.map(async (to) => (await rig.events(`payout-${to}`)).some(({ kind }) => kind === 'marked')),
      );
      expect(marked.filter(Boolean)).toHaveLength(sent);
      gates.get(provider.effects.at(-1)?.to ?? '')?.open();
    }
    expect((await saying).text).toBe('Paid.');
  });

  test('a worker that was told to leave it does not serve it; one started on that queue does', async () => {
    const provider = new CountingProvider();
    const taskQueue = queueName();
    const tools = [scheduled(provider, { taskQueue })];
    const rig = await rigs.start({ tools, model: payAll, worker: false });
    await rig.startWorker({ toolQueues: false });
    const saying = rig.say('Pay all.');
    const workflowId = `turn/${rig.tenant}/chat-1/1`;
    await until(async () => (await rig.history(workflowId).catch(() => null)) !== null);
    await until(async () => activityQueues(await rig.history(workflowId)).length === 4);
    expect(provider.sends).toEqual([]);
    await rig.startWorker({ taskQueue, workflows: false });
    expect((await saying).text).toBe('Paid.');
    expect(provider.effects).toHaveLength(3);
  });

  test('a worker that stops lets its calls finish on every queue', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdAnswer('anna');
    const rig = await rigs.start({
      tools: [scheduled(provider, { taskQueue: queueName() })],
      model: ({ results }) =>
        results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' },
      worker: false,
    });
    const worker = await rig.startWorker();
    const saying = rig.say('Pay Anna.');
    await gate.reached;
    const stopped = worker.stop();
    gate.open();
    await stopped;
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'confirmed' });
    await rig.startWorker();
    expect((await saying).text).toBe('Paid.');
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('two tools name other limits for one queue → the worker does not start, and both are named', async () => {
    const rig = await rigs.start({ model: payAll, worker: false });
    const provider = new CountingProvider();
    const taskQueue = queueName();
    const tools = [
      scheduled(provider, { taskQueue, maxConcurrent: 1 }),
      { ...readAccount(), scheduling: { taskQueue, maxConcurrent: 2 } },
    ];
    const starting = startWorker({ settings: rig.settings, tools, model: scriptedModel(payAll) });
    await expect(starting).rejects.toMatchObject({
      code: 'SENDONCE_QUEUE_LIMITS_CONFLICT',
      message: expect.stringMatching(/^pay_out and read_account share the task queue payouts-/),
    });
  });
});
