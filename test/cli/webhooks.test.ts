// Needs Postgres.
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import { endOf, runCli, spawnCli } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';
import { callRefund, readFold } from '../support/refund-rig';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';
import { WEBHOOK_SECRET } from '../support/webhook-posts';

let own: TestDatabase;
beforeAll(async () => {
  await buildDemo();
  own = await createTestDatabase();
}, 120_000);
afterAll(() => own.drop());

/** What a test that failed has left running. */
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const moduleFile = (name: string) => join(__dirname, 'modules', name);
const settings = () => ({ DATABASE_URL: own.url, WEBHOOK_SECRET });

test.each(['SIGTERM', 'SIGINT'] as const)(
  'takes webhooks without Temporal, says where and how many came, and ends with 0 after %s',
  async (signal) => {
    const child = spawnCli(['webhooks', '--tools', moduleFile('webhooks.mjs'), '--port', '0'], settings());
    children.push(child);
    let said = '';
    child.stderr?.on('data', (chunk) => (said += String(chunk)));
    const ended = endOf(child);
    await until(() => said.includes('Ctrl-C drains') || child.exitCode !== null);
    const url = /^sendonce: webhooks are taken at (http:\/\/127\.0\.0\.1:\d+\/webhooks\/stripe)\. /.exec(said)?.[1];
    const fake = await startFakeStripe({ webhook: { url: `${url}`, secret: WEBHOOK_SECRET } });
    const { id: paymentIntent } = fake.addPayment({ amount: 38_000, currency: 'twd' });
    const refund = { ledger: new PostgresLedger(own.database), tenant: signal, operationId: 'refund-7' };
    fake.arm({ route: 'create', kind: 'drop-answer' });
    await callRefund({ ...refund, fake, paymentIntent });
    await fake.webhooks.settled();
    expect(await readFold(refund)).toMatchObject({ state: 'confirmed', resolvedBy: 'webhook' });
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, stdout: '' });
    expect(said).toContain(`sendonce: ${signal}: draining.`);
    expect(said).toMatch(/sendonce: the door is closed\. Webhooks: 1 recorded, 0 known, 1 ignored, .*0 failed\.\n$/);
    await fake.close();
  },
);

test.each([
  ['no-tools.cjs', /None of the tools has a provider that takes webhooks\. .* webhookSecret \}\)\.\n$/],
  ['payouts.mjs', /None of the tools has a provider that takes webhooks\./],
  ['nothing.mjs', /nothing\.mjs exports no "worker", an object with the options of startWorker\. For example: export/],
])('%s → it says what is missing, exit code 1', async (name, message) => {
  const { code, stdout, stderr } = await runCli(['webhooks', '--tools', moduleFile(name)], settings());
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(message);
});

test('settings that the file names go before those of the environment', async () => {
  const nowhere = { ...settings(), LEDGER_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const { code, stderr } = await runCli(['webhooks', '--tools', moduleFile('webhooks.mjs')], nowhere);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^sendonce: Postgres at 127\.0\.0\.1:1 cannot be reached/),
  });
});

test('a port that is taken → it says which, exit code 1', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await until(() => server.listening);
  const { port } = server.address() as AddressInfo;
  const args = ['webhooks', '--tools', moduleFile('webhooks.mjs'), '--port', String(port)];
  const { code, stderr } = await runCli(args, settings());
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `sendonce: Port ${port} of 127.0.0.1 is taken. Free it, or give another --port.\n`,
  });
  server.close();
});
