// Needs nothing: the command starts a Postgres and a Temporal of its own.
import { buildDemo, demoFolder } from '../support/demo-command';
import { BEFORE_PEOPLE, expectPromises } from '../support/promised-runs';

const folder = demoFolder();
beforeAll(buildDemo, 120_000);
afterAll(folder.remove);

const RUN_TIMEOUT_MS = 120_000;

describe('npm start -- --once --json --scenario NAME', () => {
  test.each(Object.entries(BEFORE_PEOPLE))(
    '%s keeps its promises, and says so in one line of JSON',
    async (name, promised) => {
      await expectPromises(name, promised, folder.path);
    },
    RUN_TIMEOUT_MS,
  );
});
