// Needs Postgres and Temporal.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endOf, runCli, spawnCli, temporalSetting } from '../support/cli-command';
import { buildDemo, NODE } from '../support/demo-command';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

const EXAMPLE = join(__dirname, '../../examples/docker');

let own: TestDatabase;
let folder: string;
beforeAll(async () => {
  await buildDemo();
  own = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'sendonce-example-'));
}, 120_000);
afterAll(async () => {
  await own.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('the example of docker-compose.yml: a refund, one whose answer is lost, and the same again after a restart', async () => {
  const settings = { ...temporalSetting(), DATABASE_URL: own.url };
  const say = async (words: string) => {
    const env = { PATH: process.env['PATH'] ?? '', ...settings };
    return (await promisify(execFile)(NODE, [join(EXAMPLE, 'say.mjs'), words], { env })).stdout;
  };
  const withWorker = async (use: () => Promise<void>) => {
    const worker = spawnCli(['worker', '--tools', join(EXAMPLE, 'worker.mjs')], {
      ...settings,
      FAKE_STRIPE_JOURNAL: join(folder, 'fake-stripe.jsonl'),
    });
    let said = '';
    worker.stderr?.on('data', (chunk) => (said += String(chunk)));
    const ended = endOf(worker);
    try {
      await until(() => said.includes('takes work') || worker.exitCode !== null);
      await use();
    } finally {
      worker.kill('SIGTERM');
    }
    expect((await ended).code).toBe(0);
  };

  await withWorker(async () => {
    expect(await say('Hello.')).toContain('Which order is it about?');
    expect(await say('Please refund order 1043.')).toMatch(/refund-1043.*re_/);
    expect(await say('And #1044, too.')).toContain('Outcome unknown: refund_order, operation refund-1044.');
    expect(await say('What about 1044?')).toMatch(/Already done: .*refund-1044.*re_/);
  });
  await withWorker(async () => {
    expect(await say('Refund 1043 again.')).toMatch(/Already done: .*refund-1043.*re_/);
  });
  const { stdout } = await runCli(['ops', 'list', '--json'], settings);
  const { operations } = JSON.parse(stdout) as { operations: { operationId: string; state: string }[] };
  expect(operations.map(({ operationId, state }) => `${operationId} ${state}`).sort()).toEqual([
    'refund-1043 confirmed',
    'refund-1044 confirmed',
  ]);
}, 120_000);
