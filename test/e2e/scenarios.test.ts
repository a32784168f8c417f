// Needs nothing: the command starts a Postgres and a Temporal of its own.
import { SCENARIOS } from '../../src/dev/scenarios/scenarios';
import { buildDemo, type DemoEnd, demoFolder, runDemo } from '../support/demo-command';

const folder = demoFolder();
beforeAll(buildDemo, 120_000);
afterAll(folder.remove);

const RUN_TIMEOUT_MS = 120_000;

/** What `--json` prints: these keys in this order, and no other. */
const KEYS = [
  'scenario',
  'ok',
  'effects',
  'sends',
  'modelCalls',
  'operations',
  'replies',
  'told',
  'followUps',
  'escalations',
  'resolvedBy',
  'workflowId',
  'temporalUi',
];
const OPERATION_KEYS = ['id', 'state', 'reason', 'externalId', 'attempts', 'generation', 'key'];
const REPLY_KEYS = ['tool', 'code', 'retryAction', 'isError', 'operationId'];

interface Run {
  readonly [key: string]: unknown;
  readonly operations: readonly Record<string, unknown>[];
  readonly replies: readonly Record<string, unknown>[];
  readonly told: readonly string[];
}

function runOf({ stdout }: DemoEnd): Run {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Run;
}

interface Promised {
  readonly effects: number;
  readonly sends: number;
  readonly attempts: readonly number[];
  readonly codes: readonly string[];
  readonly resolvedBy: string;
}

const ONE = { effects: 1, sends: 1, attempts: [1], codes: ['done'], resolvedBy: 'answer' };

/** Refunds and requests are counted by the provider. */
const PROMISED: Readonly<Record<string, Promised>> = {
  happy: ONE,
  'lost-answer': { ...ONE, codes: ['outcome_unknown', 'already_done'], resolvedBy: 'query' },
  'lost-request': { ...ONE, sends: 2, attempts: [2], codes: ['outcome_unknown', 'done'] },
  'server-error': { ...ONE, codes: ['outcome_unknown', 'already_done'], resolvedBy: 'query' },
  'twice-at-once': { ...ONE, codes: ['already_done', 'done'] },
  'two-items': { ...ONE, effects: 2, sends: 2, attempts: [1, 1], codes: ['done', 'done'] },
  'not-submitted': { ...ONE, attempts: [3] },
  'worker-killed': { ...ONE, resolvedBy: 'query' },
  zombie: { ...ONE, attempts: [2] },
};

describe('npm start -- --once --json --scenario NAME', () => {
  test('every scenario has its promise here', () => {
    expect(SCENARIOS.map(({ name }) => name)).toEqual(Object.keys(PROMISED));
  });

  test.each(Object.entries(PROMISED))(
    '%s keeps its promises, and says so in one line of JSON',
    async (name, promised) => {
      const end = await runDemo(['--once', '--scenario', name, '--json'], { dataDir: folder.path });
      expect(end).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\{.*\}\n$/) });
      expect(end.stderr).toContain(`${name}: `);
      const run = runOf(end);
      expect(Object.keys(run)).toEqual(KEYS);
      expect(run.operations.map((operation) => Object.keys(operation))).toEqual(
        promised.attempts.map(() => OPERATION_KEYS),
      );
      for (const reply of run.replies) expect(Object.keys(reply)).toEqual(REPLY_KEYS);
      const { effects, sends, resolvedBy, attempts, codes } = promised;
      expect(run).toMatchObject({ scenario: name, ok: true, effects, sends, resolvedBy, followUps: 0, escalations: 0 });
      expect(run.operations).toEqual(
        attempts.map((count, index) => ({
          id: `refund-1043-li_${index + 2}`,
          state: 'confirmed',
          reason: null,
          externalId: expect.stringMatching(/^re_/),
          attempts: count,
          generation: 1,
          key: `refund-1043-li_${index + 2}`,
        })),
      );
      const refunds = run.replies.filter(({ tool }) => tool === 'refund_line_item');
      // Two calls of one step stand in the order of the model's answer, whichever of them sent.
      expect(refunds.map(({ code }) => code).sort()).toEqual([...codes].sort());
      expect(run.told.at(-1)).toContain(String(run.operations[0]?.['externalId']));
      expect(run['workflowId']).toMatch(/^turn\/shop\/chat-1043-[0-9a-f]{8}\/2$/);
      expect(run['temporalUi']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/turn%2Fshop%2F/);
    },
    RUN_TIMEOUT_MS,
  );
});

describe('npm start -- --once --naive', () => {
  test.each([
    { key: 'no key of its own', naive: ['--naive'] },
    { key: 'run and activity ID as key', naive: ['--naive', 'run-id'] },
  ])(
    '$key: the tool as commonly written refunds twice under keys A, A, A, B; ours once under one',
    async ({ naive }) => {
      const end = await runDemo(['--scenario', 'lost-answer', ...naive, '--json'], { dataDir: folder.path });
      expect(end.code).toBe(0);
      expect(runOf(end)).toMatchObject({ scenario: 'lost-answer', ok: true, effects: 2, sends: 4, operations: [] });
      expect(end.stderr).toContain('  as commonly written: A, A, A, B\n');
      expect(end.stderr).toContain('  sendonce: A\n    A = refund-1044-li_2\n');
    },
    RUN_TIMEOUT_MS,
  );

  test(
    'where nothing is lost it refunds once, and that is no broken promise',
    async () => {
      const end = await runDemo(['--scenario', 'happy', '--naive', '--json'], { dataDir: folder.path });
      expect(end.code).toBe(0);
      expect(runOf(end)).toMatchObject({ ok: true, effects: 1, sends: 1 });
    },
    RUN_TIMEOUT_MS,
  );
});
