// Needs Postgres and Temporal.
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectClient } from '../../src/client/connect-client';
import { type CliEnd, type CliSettings, endOf, runCli, spawnCli, temporalSetting } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

const RUN_MS = 60_000;

let own: TestDatabase;
let folder: string;
beforeAll(async () => {
  await buildDemo();
  own = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'sendonce-cli-'));
}, 120_000);
afterAll(async () => {
  await own.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** What a test that failed has left running. */
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const moduleFile = (name: string) => join(__dirname, 'modules', name);

interface StartedWorker {
  readonly settings: Readonly<Record<'TASK_QUEUE' | 'PAYOUTS_FILE', string>>;
  readonly said: () => string;
  readonly ended: Promise<CliEnd>;
  signal(signal: 'SIGTERM' | 'SIGINT'): void;
}

/** Waits until it takes work. */
async function startWorker(name: string, more: CliSettings = {}): Promise<StartedWorker> {
  const id = randomUUID().slice(0, 8);
  const settings = { TASK_QUEUE: `cli-${id}`, PAYOUTS_FILE: join(folder, id) };
  const child = spawnCli(['worker', '--tools', moduleFile(name)], {
    ...temporalSetting(),
    DATABASE_URL: own.url,
    ...settings,
    ...more,
  });
  children.push(child);
  let said = '';
  child.stderr?.on('data', (chunk) => (said += String(chunk)));
  const ended = endOf(child);
  await until(() => said.includes('takes work') || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`It ended:\n${said}`);
  return { settings, said: () => said, ended, signal: (signal) => child.kill(signal) };
}

async function say(taskQueue: string, text: string): Promise<string> {
  const { TEMPORAL_ADDRESS: address } = temporalSetting();
  const settings = { database: { url: own.url }, temporal: { connection: { address }, namespace: 'default' } };
  const client = await connectClient({ settings, taskQueue });
  try {
    const session = client.session({ tenant: taskQueue, customer: 'customer-1', sessionId: 'chat-1' });
    return (await session.say(text, { requestKey: 'm-1' })).text;
  } finally {
    await client.close();
  }
}

describe('sendonce worker', () => {
  test.each(['no-tools.cjs', 'no-tools.ts'])(
    'runs what %s describes, says what it does, and ends with 0 after SIGINT',
    async (name) => {
      const { settings, said, ended, signal } = await startWorker(name);
      expect(await say(settings.TASK_QUEUE, 'Hello?')).toBe('Hello.');
      expect(said()).toContain(`sendonce: the worker takes work from ${settings.TASK_QUEUE}. Tools: none.`);
      signal('SIGINT');
      expect(await ended).toMatchObject({ code: 0, stdout: '' });
      expect(said()).toContain('sendonce: SIGINT: draining.');
    },
    RUN_MS,
  );

  test(
    'SIGTERM lets a running call finish; a second one is told so; the exit code is 0',
    async () => {
      const { settings, said, ended, signal } = await startWorker('payouts.mjs', { PAYOUT_MS: '2000' });
      const paidOut = () => (existsSync(settings.PAYOUTS_FILE) ? readFileSync(settings.PAYOUTS_FILE, 'utf8') : '');
      const reply = say(settings.TASK_QUEUE, 'anna');
      await until(() => paidOut().includes('begun'));
      signal('SIGTERM');
      await until(() => said().includes('SIGTERM: draining.'));
      signal('SIGTERM');
      const { code, stderr } = await ended;
      expect({ code, paid: paidOut() }).toEqual({ code: 0, paid: 'payout-anna begun\npayout-anna paid\n' });
      expect(stderr).toMatch(
        /sendonce: SIGTERM: draining\..*sendonce: still draining.*sendonce: the worker has stopped\.\n$/s,
      );
      // What it recorded is there for the next worker, which ends the turn and pays nothing again.
      const next = await startWorker('payouts.mjs', { TASK_QUEUE: settings.TASK_QUEUE });
      expect(await reply).toContain('payout-anna');
      next.signal('SIGTERM');
      expect((await next.ended).code).toBe(0);
      expect(existsSync(next.settings.PAYOUTS_FILE)).toBe(false);
    },
    RUN_MS,
  );

  test.each([
    [
      'nothing.mjs',
      /nothing\.mjs exports no "worker", an object with the options of startWorker\. For example: export/,
    ],
    ['no-model.mjs', /"worker" of .*no-model\.mjs has no "model"\. For example: export/],
    [
      'mistyped.mjs',
      /"worker" of .*mistyped\.mjs has taskqueue, which startWorker does not take\. Its options are tools, .*taskQueue/,
    ],
    ['no-tool.mjs', /tools\[0\] is no tool\. Make it with defineOperation or defineTool\.\n$/],
    ['broken.mjs', /broken\.mjs could not be loaded: Error: no such shop\n +at .*broken\.mjs/],
    [
      'enum.ts',
      /This Node \(.*\) cannot read .*enum\.ts as it is .*enum.* Compile it to JavaScript and name that file/,
    ],
  ])('%s → it says what is wrong with it, exit code 1', async (name, message) => {
    const settings = { ...temporalSetting(), DATABASE_URL: own.url };
    const { code, stdout, stderr } = await runCli(['worker', '--tools', moduleFile(name)], settings);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^sendonce: /);
  });

  test('a namespace that is not there → the setting is named, exit code 1', async () => {
    const settings = { ...temporalSetting(), DATABASE_URL: own.url, TEMPORAL_NAMESPACE: 'not-there' };
    const { code, stderr } = await runCli(['worker', '--tools', moduleFile('no-tools.cjs')], settings);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^sendonce: Temporal at \S+ has no namespace not-there\. Set TEMPORAL_NAMESPACE .*\n$/);
  });

  test('servers that are not there → the setting is named, exit code 1', async () => {
    const args = ['worker', '--tools', moduleFile('no-tools.cjs')];
    const { code, stderr } = await runCli(args, { DATABASE_URL: own.url, TEMPORAL_ADDRESS: '127.0.0.1:1' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/sendonce: Temporal at 127\.0\.0\.1:1 cannot be reached .* TEMPORAL_ADDRESS .*\n$/);
  });
});
