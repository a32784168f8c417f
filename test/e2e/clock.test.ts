// Needs nothing: the command starts a Postgres and a Temporal of its own.
import { once } from 'node:events';
import { buildDemo, demoFolder, freePortSettings, runClock, spawnDemo } from '../support/demo-command';
import { until } from '../support/until';

const folder = demoFolder();
beforeAll(buildDemo, 120_000);
afterAll(folder.remove);

const RUN_TIMEOUT_MS = 120_000;
const HOUR_MS = 3_600_000;

describe('npm run clock --', () => {
  test('--help: how, and nothing is moved', async () => {
    const { code, stdout, stderr } = await runClock(['--help'], { dataDir: folder.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('npm run clock -- +25h\n');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test.each([
    [[], /^sendonce: Say how far, for example npm run clock -- \+25h\. See --help\.\n$/],
    [['tomorrow'], /^sendonce: What is "tomorrow"\? Say how far: .* \+25h\. See --help\.\n$/],
    [['25'], /^sendonce: What is "25"\? Say how far: /],
    [['1.5h'], /^sendonce: What is "1\.5h"\? Say how far: /],
    [['-1h'], /^sendonce: The clock moves forward only, so -1h is no move\. See --help\.\n$/],
    [['+0s'], /^sendonce: The clock moves by a second to ten years, not by \+0s\.\n$/],
    [['9999999d'], /^sendonce: The clock moves by a second to ten years, not by 9999999d\.\n$/],
    [['+1h', '+1h'], /^sendonce: One move at a time: what is "\+1h"\? See --help\.\n$/],
    [['--back'], /^sendonce: There is no option --back\. See --help\.\n$/],
    [['+1h'], /^sendonce: No Postgres runs on .*\. Start the demo with npm start in another terminal, .*\.\n$/],
  ])('%j → one line on stderr, and exit code 1', async (args, line) => {
    const { code, stdout, stderr } = await runClock(args, { dataDir: folder.path });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(line);
  });

  test(
    'beside a running npm start → the ledger’s and the provider’s clock are moved, and that is told; with a part away nothing is',
    async () => {
      const env = await freePortSettings();
      const options = { dataDir: folder.path, env };
      const demo = spawnDemo(['--scenario', 'happy'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
      let written = '';
      demo.stdout?.on('data', (chunk) => (written += String(chunk)));
      try {
        await until(() => written.includes('Everything stays up until Ctrl-C'));
        const moved = (ahead: string) => ({
          code: 0,
          stdout: `The clock is ${ahead} ahead; reconciliation was woken.\n`,
          stderr: '',
        });
        expect(await runClock(['+25h'], options)).toEqual(moved('25 h'));
        expect(await runClock(['2d'], options)).toEqual(moved('3 d 1 h'));
        const control = `http://127.0.0.1:${env.SENDONCE_STRIPE_PORT}/_fake/clock`;
        const answer = await fetch(control, { method: 'POST', body: JSON.stringify({ advanceMs: 0 }) });
        const { now } = (await answer.json()) as { now: number };
        expect(Math.round((now - Date.now()) / HOUR_MS)).toBe(73);

        const elsewhere = { ...options, env: { ...env, SENDONCE_STRIPE_PORT: '1' } };
        const refused = await runClock(['+1h'], elsewhere);
        expect(refused).toMatchObject({ code: 1, stdout: '' });
        expect(refused.stderr).toMatch(/^sendonce: The fake Stripe does not answer at http:\/\/127\.0\.0\.1:1\//);
        expect(await runClock(['+1h'], options)).toEqual(moved('3 d 2 h'));
      } finally {
        demo.kill('SIGINT');
        await once(demo, 'close');
      }
    },
    RUN_TIMEOUT_MS,
  );
});
