// Needs Postgres and Temporal.
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { type PluginOptions, type SendoncePlugin, sendoncePlugin } from '../../src/plugin';
import { type Script, scriptedModel } from '../../src/testing/scripted-model';
import { CountingProvider } from '../support/counting-provider';
import { payOut } from '../support/payout-tools';
import { type Rig, turnRigs } from '../support/turn-rig';
import { workflowBundle } from '../support/workflow-bundle';

const rigs = turnRigs();

const payAnna: Script = ({ results }) =>
  results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' };

const connections: NativeConnection[] = [];
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.close();
});

/** A worker as a team makes it that has workflows and activities of its own. */
async function ownWorker(
  rig: Rig,
  plugins: WorkerOptions['plugins'],
  change: Partial<WorkerOptions> = {},
): Promise<Worker> {
  const connection = await NativeConnection.connect(rig.settings.temporal.connection);
  connections.push(connection);
  return Worker.create({
    connection,
    taskQueue: rig.taskQueue,
    workflowBundle: await workflowBundle(),
    ...(plugins ? { plugins } : {}),
    ...change,
  });
}

function pluginFor(rig: Rig, change: Partial<PluginOptions> = {}): Promise<SendoncePlugin> {
  return sendoncePlugin({ database: rig.settings.database, tools: [], model: scriptedModel(payAnna), ...change });
}

describe('a worker of one’s own with the plugin', () => {
  test('runs turns beside the activities it had, until it is shut down; then the ledger is closed', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({ model: payAnna, worker: false });
    const plugin = await pluginFor(rig, { tools: [payOut(provider)] });
    const worker = await ownWorker(rig, [plugin], { activities: { greet: async () => 'hello' } });
    expect(await worker.runUntil(rig.say('Pay Anna.'))).toMatchObject({ text: 'Paid.', outcome: 'answered' });
    expect(provider.sends).toEqual(['payout-anna']);
    await plugin.close();
  });

  test('takes the toolkit’s workflows where it names none', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({ model: payAnna, worker: false });
    const plugin = await pluginFor(rig, { tools: [payOut(provider)] });
    const connection = await NativeConnection.connect(rig.settings.temporal.connection);
    connections.push(connection);
    const worker = await Worker.create({ connection, taskQueue: rig.taskQueue, plugins: [plugin] });
    expect(await worker.runUntil(rig.say('Pay Anna.'))).toMatchObject({ text: 'Paid.' });
  });

  test.each([
    ['an object', { pay_out: async () => 'mine' }],
    ['a map', new Map([['pay_out', async () => 'mine']])],
    ['an internal name', { 'sendonce.callModel': async () => 'mine' }],
  ])(
    'an activity of its own with a name of ours, in %s → refused, neither overrides the other',
    async (_how, activities) => {
      const rig = await rigs.start({ model: payAnna, worker: false });
      const plugin = await pluginFor(rig, { tools: [payOut(new CountingProvider())] });
      await expect(ownWorker(rig, [plugin], { activities })).rejects.toMatchObject({
        code: 'SENDONCE_ACTIVITY_NAME_TAKEN',
        message: expect.stringMatching(
          /^There is an activity named (pay_out|sendonce\.callModel) on this worker already\./,
        ),
      });
      await plugin.close();
    },
  );

  test('one plugin for two workers → refused, since the first to stop would close the other’s ledger', async () => {
    const rig = await rigs.start({ model: payAnna, worker: false });
    const plugin = await pluginFor(rig);
    const worker = await ownWorker(rig, [plugin]);
    await expect(ownWorker(rig, [plugin])).rejects.toThrow(/serves one worker/);
    await worker.runUntil(Promise.resolve());
  });

  test('gives running calls longer than their sends may take, and heartbeats that are not held back', async () => {
    const rig = await rigs.start({ model: payAnna, worker: false });
    const plugin = await pluginFor(rig, { tools: [payOut(new CountingProvider())] });
    const worker = await ownWorker(rig, [plugin]);
    // One minute each to send and to wait for the answer, by the provider's contract.
    expect(worker.options.shutdownGraceTime).toBeGreaterThan(120_000);
    expect(worker.options.maxHeartbeatThrottleIntervalMs).toBe(100);
    await worker.runUntil(Promise.resolve());
  });
});
