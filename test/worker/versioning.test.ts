// Needs Postgres and Temporal.
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { z } from 'zod';
import { readLedgerId } from '../../src/ledger/ledger-id';
import { scriptedModel } from '../../src/testing/scripted-model';
import { defineTool } from '../../src/tools/define-tool';
import { wakeReconciliation } from '../../src/wake-reconciliation';
import { type StartWorkerOptions, startWorker } from '../../src/worker';
import { reconciliationId } from '../../src/workflows/reconciliation-names';
import { CountingProvider } from '../support/counting-provider';
import { Gate } from '../support/gate';
import type { History } from '../support/history';
import { payOut } from '../support/payout-tools';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

/** On a version of the rig's own deployment; with a file of workflows that pins turns, as docs/upgrading.md shows it. */
function versioned(rig: Rig, buildId: string, workflowBundle: { readonly code: string }): Partial<StartWorkerOptions> {
  return {
    workerOptions: {
      workflowBundle,
      workerDeploymentOptions: {
        version: { deploymentName: rig.tenant, buildId },
        useWorkerVersioning: true,
        defaultVersioningBehavior: 'AUTO_UPGRADE',
      },
    },
  };
}

/** As `temporal worker deployment set-current-version` does, once the version's workers are known to the server. */
async function makeCurrent(rig: Rig, buildId: string): Promise<void> {
  const { connection, options } = rig.temporal;
  const request = { namespace: options.namespace, deploymentName: rig.tenant, buildId, identity: 'test' };
  await until(() =>
    connection.workflowService.setWorkerDeploymentCurrentVersion(request).then(
      () => true,
      () => false,
    ),
  );
}

/** On which version its tasks were completed, and under which behaviour, in order and each once. */
function versions({ events }: History): string[] {
  const all = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: completed }) =>
    completed ? [`${completed.deploymentVersion?.buildId ?? ''} ${completed.versioningBehavior ?? ''}`] : [],
  );
  return [...new Set(all)];
}

const PINNED = 1;
const AUTO_UPGRADE = 2;

/** A tool on a queue of its own, which says who ran it. */
function whoAreYou(rig: Pick<Rig, 'taskQueue'>, name: string) {
  return defineTool({
    name: 'who_are_you',
    description: 'Says which release this is.',
    input: z.object({}),
    scheduling: { taskQueue: `${rig.taskQueue}-who` },
    run: () => name,
  });
}

test('a turn that is pinned ends on the version it began with, its tools’ own queues included; its session and the reconciliation move on', async () => {
  const provider = new CountingProvider();
  const thinking = new Gate();
  const rig = await rigs.start({
    model: async ({ said, results }) => {
      if (said.at(-1) === 'anna' && results.length === 0) await thinking.pass();
      const pay = { tool: 'pay_out', input: { to: said.at(-1) ?? '' } };
      return results.length === 0
        ? { calls: [pay, { tool: 'who_are_you', input: {} }] }
        : { text: results.map(({ text }) => text).join('\n') };
    },
    worker: false,
  });
  const bundle = await bundleWorkflowCode({
    workflowsPath: require.resolve('../support/pinned-turns'),
    logger: new DefaultLogger('ERROR'),
  });
  const start = async (buildId: string) => {
    const tools = [payOut(provider), whoAreYou(rig, buildId)];
    const worker = await rig.startWorker({ tools, ...versioned(rig, buildId, bundle) });
    await makeCurrent(rig, buildId);
    return worker;
  };
  const first = await start('a');
  const saying = rig.say('anna');
  await thinking.reached;
  await start('b');
  const other = await rig.say('berta', { sessionId: 'chat-2' });
  thinking.open();
  const reply = await saying;
  expect(reply.text).toMatch(/^Done: pay_out, operation payout-anna.*\na$/s);
  expect(other.text).toMatch(/^Done: pay_out, operation payout-berta.*\nb$/s);
  expect(versions(await rig.history(reply.workflowId))).toEqual([`a ${PINNED}`]);
  expect(versions(await rig.history(other.workflowId))).toEqual([`b ${PINNED}`]);
  await first.stop();
  await rig.say('Thanks.');
  expect(versions(await rig.history(`session/${rig.tenant}/chat-1`)).at(-1)).toBe(`b ${AUTO_UPGRADE}`);
  const ref = { ledger: await readLedgerId(rig.database), taskQueue: rig.taskQueue };
  await wakeReconciliation(rig.temporal, ref);
  await until(async () => versions(await rig.history(reconciliationId(ref))).at(-1) === `b ${AUTO_UPGRADE}`);
  expect(versions(await rig.history(reconciliationId(ref)))[0]).toBe(`a ${AUTO_UPGRADE}`);
  expect(provider.sends.sort()).toEqual(['payout-anna', 'payout-berta']);
}, 120_000);

test('pinned by default, on the package’s own workflows → refused before it takes any work', async () => {
  const rig = await rigs.start({ model: () => ({ text: '' }), worker: false });
  const { settings, taskQueue } = rig;
  const workerDeploymentOptions = {
    version: { deploymentName: rig.tenant, buildId: 'a' },
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'PINNED',
  } as const;
  const options = { settings, taskQueue, tools: [], model: scriptedModel(() => ({ text: '' })) };
  await expect(startWorker({ ...options, workerOptions: { workerDeploymentOptions } })).rejects.toMatchObject({
    code: 'SENDONCE_WORKFLOWS_PINNED',
    message: expect.stringContaining("Set workerDeploymentOptions.defaultVersioningBehavior to 'AUTO_UPGRADE'."),
  });
  // One that brings activities alone has nothing to pin.
  const worker = await startWorker({ ...options, workflows: false, workerOptions: { workerDeploymentOptions } });
  await worker.stop();
});
