// Needs nothing: the command starts a Postgres and a Temporal of its own.
import { buildDemo, demoFolder, runDemo } from '../support/demo-command';
import { expectPromises, FOUND_OUT_AND_TOLD, printedRun } from '../support/promised-runs';

const folder = demoFolder();
beforeAll(buildDemo, 120_000);
afterAll(folder.remove);

const RUN_TIMEOUT_MS = 120_000;

describe('npm start -- --once --json --scenario NAME', () => {
  test.each(Object.entries(FOUND_OUT_AND_TOLD))(
    '%s keeps its promises, and says so in one line of JSON',
    async (name, promised) => {
      await expectPromises(name, promised, folder.path);
    },
    RUN_TIMEOUT_MS,
  );
});

describe('npm start -- --once --naive', () => {
  test.each([
    ['lagging-list', 1],
    ['two-sessions', 2],
    ['clicked-twice', 2],
  ])(
    '%s: refunds that the tool as commonly written makes: %i',
    async (name, effects) => {
      const end = await runDemo(['--scenario', name, '--naive', '--json'], { dataDir: folder.path });
      expect(end.code).toBe(0);
      expect(printedRun(end)).toMatchObject({ scenario: name, ok: true, effects, operations: [] });
    },
    RUN_TIMEOUT_MS,
  );
});
