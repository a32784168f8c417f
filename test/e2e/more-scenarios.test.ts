// Needs nothing: the command starts a Postgres and a Temporal of its own.
import { buildDemo, demoFolder, runDemo, spawnDemo } from '../support/demo-command';
import { ASKED_AND_REFUSED, expectPromises, type PrintedRun, printedRun } from '../support/promised-runs';
import { until } from '../support/until';

const folder = demoFolder();
beforeAll(buildDemo, 120_000);
afterAll(folder.remove);

const RUN_TIMEOUT_MS = 120_000;

/** What the run's JSON says beside the numbers that all scenarios have. */
const MORE: Readonly<Record<string, (run: PrintedRun) => void>> = {
  reworded: ({ replies }) => {
    expect(replies.at(-1)).toEqual({
      tool: 'refund_line_item',
      code: 'conflict',
      retryAction: 'new-input',
      isError: true,
      operationId: 'refund-1043-li_2',
    });
  },
  'new-session': ({ replies, told }) => {
    const codes = ['done', 'done', 'done', 'already_done'];
    expect(replies.map(({ tool, code }) => [tool, code])).toEqual(
      codes.map((code, index) => [index % 2 === 0 ? 'find_order' : 'refund_line_item', code]),
    );
    expect(told).toHaveLength(4);
  },
  'refused-before-send': ({ replies, told }) => {
    expect(replies).toEqual([
      { tool: 'refund_line_item', code: 'invalid_input', retryAction: 'new-input', isError: true, operationId: null },
    ]);
    expect(told).toEqual(['I am sorry, I cannot find your order 1043.']);
  },
  'rejected-then-fixed': ({ replies, told }) => {
    expect(replies.map(({ code }) => code)).toEqual(['done', 'rejected', 'rejected', 'done']);
    expect(told[1]).toBe(
      'I am sorry: your 380.00 TWD refund for the earphone case was refused: nothing was paid back.',
    );
  },
  'over-refund': ({ operations }) => {
    expect(operations[0]?.['reason']).toMatch(/^amount_too_large: .*38000 .* greater than .*18000 /);
  },
  'three-requests': ({ told }) => {
    for (const amount of ['300.00', '200.00', '100.00']) expect(told.at(-1)).toContain(`Your ${amount} TWD refund`);
  },
};

describe('npm start -- --once --json --scenario NAME', () => {
  test.each(Object.entries(ASKED_AND_REFUSED))(
    '%s keeps its promises, and says so in one line of JSON',
    async (name, promised) => {
      const run = await expectPromises(name, promised, folder.path);
      MORE[name]?.(run);
    },
    RUN_TIMEOUT_MS,
  );

  test(
    'a promise that is broken from outside → the run says which, and the exit code is 1',
    async () => {
      const child = spawnDemo(['--scenario', 'happy', '--json'], {
        dataDir: folder.path,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stdout = '';
      let stderr = '';
      child.stdout?.on('data', (chunk) => (stdout += String(chunk)));
      child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
      const port = () => /The fake Stripe answers on 127\.0\.0\.1:(\d+)/.exec(stderr)?.[1];
      await until(() => port() !== undefined || child.exitCode !== null);
      const armed = await fetch(`http://127.0.0.1:${port()}/_fake/faults`, {
        method: 'POST',
        body: JSON.stringify({ route: 'create', kind: 'drop-answer' }),
      });
      expect(armed.status).toBe(201);
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect({ code, run: printedRun({ code: null, stdout, stderr }) }).toMatchObject({
        code: 1,
        run: { scenario: 'happy', ok: false, effects: 1, sends: 1, resolvedBy: 'query' },
      });
      expect(stderr).toContain('BROKEN PROMISE: answers of operation 1: promised ["confirmed"], found ["unknown"]\n');
      expect(stderr).toContain('BROKEN PROMISE: answers of the refund tools: promised [["done"]], found');
    },
    RUN_TIMEOUT_MS,
  );
});

describe('npm start -- --once --naive', () => {
  test.each([
    ['slow-answer', 2, ['A, A, A, B', 'A']],
    ['new-session', 2, ['A, B', 'A']],
    ['reworded', 3, ['A, B, C', 'A']],
  ])(
    '%s: the tool as commonly written makes %i refunds, ours one',
    async (name, effects, [naive, ours]) => {
      const end = await runDemo(['--scenario', name, '--naive', 'run-id', '--json'], { dataDir: folder.path });
      expect(end.code).toBe(0);
      expect(printedRun(end)).toMatchObject({ scenario: name, ok: true, effects, operations: [] });
      expect(end.stderr).toContain(`  as commonly written: ${naive}\n`);
      expect(end.stderr).toContain(`  sendonce: ${ours}\n    A = refund-1044-li_2\n`);
    },
    RUN_TIMEOUT_MS,
  );

  test.each(['spelled', 'refused-before-send', 'key-expired'])(
    '%s cannot be played with it → one line says why, exit code 1, and nothing is started',
    async (name) => {
      const { code, stdout, stderr } = await runDemo(['--scenario', name, '--naive'], { dataDir: folder.path });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(new RegExp(`^sendonce: The scenario ${name} has no --naive: the tool .*\\.\\n$`));
    },
  );
});
