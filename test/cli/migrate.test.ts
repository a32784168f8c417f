// Needs Postgres.
import { runCli } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

beforeAll(buildDemo, 120_000);

let own: TestDatabase;
beforeEach(async () => {
  own = await createTestDatabase({ migrated: false });
});
afterEach(() => own.drop());

describe('sendonce migrate', () => {
  test('says what it applied; a second time there is nothing to do', async () => {
    const first = await runCli(['migrate'], { DATABASE_URL: own.url });
    expect(first).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^The schema sendonce is up to date; applied 0001_operations, .*\.\n$/),
    });
    const second = await runCli(['migrate'], { DATABASE_URL: own.url });
    expect(second).toEqual({ code: 0, stderr: '', stdout: 'The schema sendonce is up to date.\n' });
  });

  test('two at once: both end well, and one of them applied it all', async () => {
    const both = await Promise.all([1, 2].map(() => runCli(['migrate'], { DATABASE_URL: own.url })));
    expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    expect(both.filter(({ stdout }) => stdout.includes('applied 0001_operations'))).toHaveLength(1);
  });

  test('--schema goes before SENDONCE_SCHEMA', async () => {
    const settings = { DATABASE_URL: own.url, SENDONCE_SCHEMA: 'from_setting' };
    const { stdout } = await runCli(['migrate', '--schema', 'from_option'], settings);
    expect(stdout).toContain('The schema from_option is up to date; applied');
    const { rows } = await own.database.pool.query(
      `select nspname from pg_namespace where nspname like 'from%' or nspname = 'sendonce'`,
    );
    expect(rows).toEqual([{ nspname: 'from_option' }]);
  });
});
