// Needs Postgres and Temporal.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartWorkerOptions } from '../../src/worker';
import { runCli, temporalSetting } from '../support/cli-command';
import { CountingProvider } from '../support/counting-provider';
import { buildDemo } from '../support/demo-command';
import { exportHistory } from '../support/export-history';
import { payOut } from '../support/payout-tools';
import { ADDED_TIMER, PATCHED_TIMER, WORKFLOW_TYPES } from '../support/release-edits';
import { type Rigs, turnRigs } from '../support/turn-rig';
import { workflowBundle } from '../support/workflow-bundle';

const { worker: encrypted }: { worker: StartWorkerOptions } = require('./modules/encrypted.cjs');
const { dataConverter = {} } = encrypted;

const RUN_MS = 180_000;
const rigs = turnRigs();
const encryptedRigs = turnRigs({ dataConverter });

let folder: string;
beforeAll(async () => {
  await buildDemo();
  folder = mkdtempSync(join(tmpdir(), 'sendonce-cli-'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const workflows = (name: string) => ['--workflows', join(__dirname, 'modules', name)];
const tools = (name: string) => ['--tools', join(__dirname, 'modules', name)];

/** A turn that pays out, on a task queue of its own. */
async function turn(on: Rigs = rigs): Promise<{ readonly workflowId: string; readonly taskQueue: string }> {
  const rig = await on.start({
    tools: [payOut(new CountingProvider())],
    model: ({ results }) =>
      results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' },
  });
  const { workflowId } = await rig.say('Pay Anna.');
  return { workflowId, taskQueue: rig.taskQueue };
}

describe('sendonce replay', () => {
  test(
    'workflows of the server, by ID and the recent ones of a task queue',
    async () => {
      const { workflowId, taskQueue } = await turn();
      const byId = await runCli(['replay', '--workflow-id', workflowId], temporalSetting());
      expect(byId).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(oks([workflowId])) });
      const recent = await runCli(['replay', '--recent', '5', '--task-queue', taskQueue], temporalSetting());
      expect({ ...recent, stdout: '' }).toEqual({ code: 0, stderr: '', stdout: '' });
      // All three workflows: the turn's, its session's, and the reconciliation.
      const replayed = [...recent.stdout.matchAll(/^ok +\d+ +(\w+)\//gm)].map(([, workflow]) => workflow);
      expect(replayed.sort()).toEqual(['reconciliation', 'session', 'turn']);
    },
    RUN_MS,
  );

  test(
    'a file that Temporal’s command line exported, also in the short words of older ones; no server is asked',
    async () => {
      const { workflowId } = await turn();
      const text = await exportHistory(workflowId);
      const [file, short] = [join(folder, 'turn.json'), join(folder, 'short.json')];
      writeFileSync(file, text);
      writeFileSync(short, inShortWords(text));
      const settings = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
      const { code, stdout, stderr } = await runCli(['replay', file, short], settings);
      expect({ code, stderr, stdout }).toEqual({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(oks([file, short])),
      });
    },
    RUN_MS,
  );

  test(
    'workflows that would break the turn → exit code 1 and why; a file of one’s own with the same ones is fine',
    async () => {
      const { workflowId } = await turn();
      const args = ['replay', '--workflow-id', workflowId];
      const other = await runCli([...args, ...workflows('other-turn.cjs')], temporalSetting());
      expect({ code: other.code, stderr: other.stderr }).toEqual({ code: 1, stderr: '' });
      expect(other.stdout).toMatch(
        new RegExp(`^RESULT +EVENTS +WORKFLOW\\nbreaks +\\d+ +${workflowId}\\n\\n${workflowId} \\(agentTurn\\)\\n  `),
      );
      expect(other.stdout.replaceAll(/\s+/g, ' ')).toContain(
        'The history has event 5, ActivityTaskScheduled (sendonce.callModel), where these workflows start a timer. ',
      );
      const same = await runCli([...args, ...workflows('same-turn.cjs')], temporalSetting());
      expect(same).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(oks([workflowId])) });
    },
    RUN_MS,
  );

  test(
    'workflows without the turn → it fails, with what is missing and which option names the file, in short',
    async () => {
      const { workflowId } = await turn();
      const args = ['replay', '--workflow-id', workflowId, ...workflows('no-turn.cjs')];
      const { code, stdout, stderr } = await runCli(args, temporalSetting());
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(stdout).toMatch(
        new RegExp(
          `\\nfails +\\d+ +${workflowId}\\n\\n${workflowId} \\(agentTurn\\)\\n  There is no workflow agentTurn `,
        ),
      );
      expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
        / There is no workflow agentTurn in these workflows\. Name the file that has it \(--workflows, workflowsPath\)\. $/,
      );
    },
    RUN_MS,
  );

  test(
    'workflows that would break all three, named by the worker’s own module → exit code 1, each with what differs; behind a patch they are fine',
    async () => {
      const { taskQueue } = await turn();
      const args = ['replay', '--recent', '--task-queue', taskQueue, ...tools('changed-bundle.cjs')];
      const run = async (edits: typeof ADDED_TIMER) => {
        const file = join(folder, 'bundle.js');
        writeFileSync(file, (await workflowBundle(edits)).code);
        return runCli(args, { ...temporalSetting(), TEST_BUNDLE: file });
      };
      const broken = await run(ADDED_TIMER);
      expect({ code: broken.code, stderr: broken.stderr }).toEqual({ code: 1, stderr: '' });
      expect(broken.stdout.match(/^breaks +\d+/gm)).toHaveLength(3);
      const told = broken.stdout.matchAll(/\n\n\S+ \((\w+)\)\n {2}The history has event \d+, .*/g);
      expect([...told].map(([, type]) => type).sort()).toEqual([...WORKFLOW_TYPES].sort());
      const patched = await run(PATCHED_TIMER);
      expect({ code: patched.code, stderr: patched.stderr }).toEqual({ code: 0, stderr: '' });
      expect(patched.stdout.match(/^ok +\d+/gm)).toHaveLength(3);
    },
    RUN_MS,
  );

  test(
    'payloads that a codec has written: with the worker’s module they replay, from its task queue; without it they fail, and what is missing is told',
    async () => {
      const { workflowId, taskQueue } = await turn(encryptedRigs);
      const settings = { ...temporalSetting(), TEST_TASK_QUEUE: taskQueue };
      const { code, stdout, stderr } = await runCli(['replay', '--recent', ...tools('encrypted.cjs')], settings);
      expect({ code, stderr, oks: stdout.match(/^ok +\d+ /gm)?.length }).toEqual({ code: 0, stderr: '', oks: 3 });
      const without = await runCli(['replay', '--workflow-id', workflowId], temporalSetting());
      expect(without).toMatchObject({ code: 1, stdout: expect.stringMatching(/^fails +\d+ /m) });
      expect(without.stdout.replaceAll(/\s+/g, ' ')).toContain(
        'Its payloads are written as binary/turned, which is not read here. Name the data converter of its worker (--tools, dataConverter).',
      );
    },
    RUN_MS,
  );

  test(
    '--save keeps histories as files without identities, which replay later without a server; none is written over',
    async () => {
      const { workflowId, taskQueue } = await turn();
      const kept = join(folder, 'kept');
      const args = ['replay', '--recent', '--task-queue', taskQueue, '--save', kept];
      const saved = await runCli(args, temporalSetting());
      expect(saved).toMatchObject({ code: 0, stderr: `sendonce: saved 3 of 3 histories in ${kept}.\n` });
      const files = readdirSync(kept);
      expect(files).toHaveLength(3);
      const name = `${workflowId.replaceAll('/', '_')}.json`;
      const texts = files.map((file) => readFileSync(join(kept, file), 'utf8'));
      expect(texts.join('').match(/"identity": "(?!recorder")|\d+@/g)).toBeNull();
      writeFileSync(join(kept, name), 'mine');
      const again = await runCli(args, temporalSetting());
      expect(again.stderr).toContain(`sendonce: ${join(kept, name)} was there already, and is not written over.\n`);
      expect(readFileSync(join(kept, name), 'utf8')).toBe('mine');
      rmSync(join(kept, name));
      await runCli(['replay', '--workflow-id', workflowId, '--save', kept], temporalSetting());
      const replayed = await runCli(['replay', kept], { TEMPORAL_ADDRESS: '127.0.0.1:1' });
      expect({ ...replayed, stdout: replayed.stdout.match(/\bok\b/g)?.length }).toEqual({
        code: 0,
        stderr: '',
        stdout: 3,
      });
    },
    RUN_MS,
  );

  test('a folder without histories, and a file that is none → named, exit code 1', async () => {
    const file = join(folder, 'none.json');
    writeFileSync(file, '{}');
    for (const path of [__dirname, file]) {
      expect(await runCli(['replay', path])).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          new RegExp(`^sendonce: ${path} cannot be read as the history of a workflow: .* --save FOLDER\\n$`),
        ),
      });
    }
  });

  test('a workflow that the server does not have → one line, exit code 1', async () => {
    const { code, stdout, stderr } = await runCli(['replay', '--workflow-id', 'turn/none'], temporalSetting());
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'sendonce: The server has no workflow turn/none in namespace default.\n',
    });
  });

  test('a task queue without workflows → it is named, exit code 1: a typo does not pass', async () => {
    const args = ['replay', '--recent', '--task-queue', 'nobody-s'];
    expect(await runCli(args, temporalSetting())).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^sendonce: There are no workflows to replay on task queue nobody-s .*\.\n$/),
    });
  });

  test('a namespace that is not there → the setting is named, exit code 1', async () => {
    const settings = { ...temporalSetting(), TEMPORAL_NAMESPACE: 'not-there' };
    expect(await runCli(['replay', '--recent'], settings)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^sendonce: Temporal at \S+ has no namespace not-there\. Set TEMPORAL_NAMESPACE .*\n$/,
      ),
    });
  });
});

/** The whole table where all is well, in this order. */
function oks(names: readonly string[]): RegExp {
  return new RegExp(`^RESULT +EVENTS +WORKFLOW\\n${names.map((name) => `ok +\\d\\d +${name}\\n`).join('')}$`);
}

/** `WorkflowExecutionStarted` for `EVENT_TYPE_WORKFLOW_EXECUTION_STARTED`, and the like. */
function inShortWords(text: string): string {
  const short = text.replaceAll(/"(?:EVENT_TYPE|TASK_QUEUE_KIND)_([A-Z_]+)"/g, (_all, words: string) => {
    const camel = words.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
    return `"${camel.join('')}"`;
  });
  if (short === text) throw new Error('Nothing to shorten: does the export name its events otherwise?');
  return short;
}
