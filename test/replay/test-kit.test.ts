// Needs Postgres and Temporal.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  describeReplay,
  expectReplays,
  HistoriesBrokenError,
  recordHistories,
  replayHistories,
} from '../../src/testing';
import { CountingProvider } from '../support/counting-provider';
import { payOut } from '../support/payout-tools';
import { RECORDED_FOLDER, readRecordedHistories } from '../support/recorded-histories';
import { registered, withGlobals } from '../support/registered-tests';
import { ADDED_TIMER, PATCHED_TIMER, WORKFLOW_TYPES } from '../support/release-edits';
import { type Rig, turnRigs } from '../support/turn-rig';
import { workflowBundle } from '../support/workflow-bundle';

const rigs = turnRigs();

const COUNT = readRecordedHistories().length;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sendonce-histories-'));
  folders.push(folder);
  return folder;
}

// As a user's test file has it: jest runs what it registers.
describeReplay('describeReplay, on the package’s own workflows', {
  histories: [join(RECORDED_FOLDER, 'happy.json'), join(RECORDED_FOLDER, 'reconciliation.json')],
});

describe('describeReplay', () => {
  test('registers a test for each file; on workflows that break them each fails, by name, type and what differs', async () => {
    const workflowBundle_ = await workflowBundle(ADDED_TIMER);
    const results = await registered(() =>
      describeReplay('ours', { histories: RECORDED_FOLDER, workflowBundle: workflowBundle_ }),
    );
    expect(results.map(([name]) => name)).toEqual(
      readdirSync(RECORDED_FOLDER)
        .sort()
        .map((file) => `${file} replays`),
    );
    const messages = results.map(([, thrown]) => (thrown as Error).message);
    for (const message of messages)
      expect(message).toMatch(/^\S+\.json \(\w+\) breaks\. The history has .*, where these workflows /);
    const types = new Set(messages.map((message) => /\((\w+)\) breaks/.exec(message)?.[1]));
    expect([...types].sort()).toEqual([...WORKFLOW_TYPES].sort());
  });

  test('behind a patch none fails', async () => {
    const bundle = await workflowBundle(PATCHED_TIMER);
    const results = await registered(() =>
      describeReplay('ours', { histories: RECORDED_FOLDER, workflowBundle: bundle }),
    );
    expect(results.filter(([, thrown]) => thrown !== null)).toEqual([]);
    expect(results).toHaveLength(COUNT);
  });

  test('outside of a test runner → says where it belongs', () => {
    const act = () =>
      withGlobals({ describe: undefined, test: undefined }, () =>
        describeReplay('ours', { histories: RECORDED_FOLDER }),
      );
    expect(act).toThrow(/^describeReplay registers tests, and there is no describe and test here\./);
  });

  test('a folder without histories → an error where it is registered: a mistyped name does not pass', () => {
    expect(() => describeReplay('ours', { histories: newFolder() })).toThrow(/it is a folder without \.json files/);
  });
});

describe('expectReplays', () => {
  test('passes on the package’s own workflows', async () => {
    await expectReplays({ histories: RECORDED_FOLDER });
  });

  test('throws all that break, each on a line', async () => {
    const options = { histories: RECORDED_FOLDER, workflowBundle: await workflowBundle(ADDED_TIMER) };
    const thrown = await expectReplays(options).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(HistoriesBrokenError);
    expect(thrown).toMatchObject({ code: 'SENDONCE_HISTORIES_BROKEN', broken: { length: COUNT } });
    expect((thrown as Error).message.split('\n')).toHaveLength(COUNT);
  });
});

/** A turn that has ended, on a task queue of its own, and where its server is. */
async function turn(): Promise<{ readonly rig: Rig; readonly workflowId: string }> {
  const rig = await rigs.start({
    tools: [payOut(new CountingProvider())],
    model: ({ results }) =>
      results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' },
  });
  const { workflowId } = await rig.say('Pay Anna.');
  return { rig, workflowId };
}

describe('workflows of a server', () => {
  test('by ID, the latest, and the latest that a query narrows', async () => {
    const { rig, workflowId } = await turn();
    const { taskQueue, settings } = rig;
    const from = { temporal: settings.temporal, taskQueue };
    expect(await replayHistories({ histories: { ...from, workflowIds: [workflowId] } })).toEqual([
      { name: workflowId, workflowType: 'agentTurn', events: expect.any(Number), result: 'ok', why: null },
    ]);
    const latest = await replayHistories({ histories: from });
    expect(latest.map(({ workflowType }) => workflowType).sort()).toEqual([...WORKFLOW_TYPES].sort());
    const narrowed = await replayHistories({ histories: { ...from, query: 'WorkflowType = "agentSession"' } });
    expect(narrowed.map(({ workflowType }) => workflowType)).toEqual(['agentSession']);
  });

  test('the latest one alone → the reconciliation that runs is replayed with it, though it is older', async () => {
    const { rig } = await turn();
    const { taskQueue, settings } = rig;
    await rig.say('Pay Anna again.');
    const results = await replayHistories({ histories: { temporal: settings.temporal, taskQueue, recent: 1 } });
    expect(results.map(({ workflowType }) => workflowType)).toContain('reconciliation');
    expect(results.filter(({ result }) => result !== 'ok')).toEqual([]);
  });

  test('one that nobody has worked on yet → not begun, and no failure', async () => {
    const { rig } = await turn();
    const { taskQueue, settings } = rig;
    const handle = await rig.temporal.workflow.start('agentTurn', {
      workflowId: `turn/${rig.tenant}/none/1`,
      taskQueue: `${taskQueue}-nobody-s`,
    });
    const histories = { temporal: settings.temporal, workflowIds: [handle.workflowId] };
    expect(await replayHistories({ histories })).toMatchObject([{ result: 'not-begun', why: null }]);
    await expectReplays({ histories });
    await handle.terminate();
  });

  test('are recorded to files that replay without a server; again → kept as they are', async () => {
    const { rig, workflowId } = await turn();
    const folder = newFolder();
    const histories = { temporal: rig.settings.temporal, workflowIds: [workflowId] };
    const file = join(folder, `${workflowId.replaceAll('/', '_')}.json`);
    expect(await recordHistories({ folder, histories })).toEqual([{ file, isNew: true }]);
    expect(await recordHistories({ folder, histories })).toEqual([{ file, isNew: false }]);
    expect(await replayHistories({ histories: folder })).toMatchObject([{ name: file, result: 'ok' }]);
  });

  test('none on the queue, none of the ID → an error that says so', async () => {
    const { rig } = await turn();
    const { temporal } = rig.settings;
    await expect(replayHistories({ histories: { temporal, taskQueue: 'nobody-s' } })).rejects.toMatchObject({
      code: 'SENDONCE_HISTORIES_MISSING',
      message: expect.stringContaining('on task queue nobody-s in namespace default'),
    });
    await expect(replayHistories({ histories: { temporal, workflowIds: ['turn/none'] } })).rejects.toMatchObject({
      code: 'SENDONCE_HISTORIES_MISSING',
    });
  });
});
