// Needs nothing: the command starts a Postgres and a Temporal of its own.
import { SCENARIOS } from '../../src/dev/scenarios/scenarios';
import { buildDemo, demoFolder, runDemo } from '../support/demo-command';
import {
  ASKED_AND_REFUSED,
  BEFORE_PEOPLE,
  expectPromises,
  FOUND_OUT_AND_TOLD,
  LOST_AND_KILLED,
  printedRun,
} from '../support/promised-runs';

const folder = demoFolder();
beforeAll(buildDemo, 120_000);
afterAll(folder.remove);

const RUN_TIMEOUT_MS = 120_000;

describe('npm start -- --once --json --scenario NAME', () => {
  test('every scenario has its promise in numbers', () => {
    expect(SCENARIOS.map(({ name }) => name)).toEqual(
      Object.keys({ ...LOST_AND_KILLED, ...ASKED_AND_REFUSED, ...FOUND_OUT_AND_TOLD, ...BEFORE_PEOPLE }),
    );
  });

  test.each(Object.entries(LOST_AND_KILLED))(
    '%s keeps its promises, and says so in one line of JSON',
    async (name, promised) => {
      await expectPromises(name, promised, folder.path);
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
      expect(printedRun(end)).toMatchObject({
        scenario: 'lost-answer',
        ok: true,
        effects: 2,
        sends: 4,
        operations: [],
      });
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
      expect(printedRun(end)).toMatchObject({ ok: true, effects: 1, sends: 1 });
    },
    RUN_TIMEOUT_MS,
  );
});
