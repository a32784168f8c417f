// Needs Postgres and Temporal.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli, temporalSetting } from '../support/cli-command';
import { CountingProvider } from '../support/counting-provider';
import { buildDemo } from '../support/demo-command';
import { exportHistory } from '../support/export-history';
import { payOut } from '../support/payout-tools';
import { turnRigs } from '../support/turn-rig';

const RUN_MS = 60_000;
const rigs = turnRigs();

let folder: string;
beforeAll(async () => {
  await buildDemo();
  folder = mkdtempSync(join(tmpdir(), 'sendonce-cli-'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const workflows = (name: string) => ['--workflows', join(__dirname, 'modules', name)];

/** A turn that pays out, on a task queue of its own. */
async function turn(): Promise<{ readonly workflowId: string; readonly taskQueue: string }> {
  const rig = await rigs.start({
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
        new RegExp(`^RESULT +EVENTS +WORKFLOW\\nbreaks +\\d+ +${workflowId}\\n\\n${workflowId}\\n  `),
      );
      expect(other.stdout.replaceAll(/\s+/g, ' ')).toContain('nondeterminism error');
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
        new RegExp(`\\nfails +\\d+ +${workflowId}\\n\\n${workflowId}\\n  There is no workflow agentTurn `),
      );
      expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
        / There is no workflow agentTurn in these workflows\. Name the file that has it with --workflows\. $/,
      );
    },
    RUN_MS,
  );

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
