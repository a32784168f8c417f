// Needs Postgres and Temporal.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectClient } from '../../src/client/connect-client';
import { findFreePort } from '../../src/dev/servers/ports';
import type { Settings } from '../../src/settings';
import { scriptedModel } from '../../src/testing/scripted-model';
import { startWorker } from '../../src/worker';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

const ROOT = join(__dirname, '../..');

const STARTS = [
  {
    name: 'a worker',
    start: async (settings: Settings) => {
      const worker = await startWorker({ settings, tools: [], model: scriptedModel(() => ({ text: '' })) });
      return worker.stop();
    },
  },
  { name: 'a client', start: async (settings: Settings) => (await connectClient({ settings })).close() },
] as const;

let databases: TestDatabase[] = [];

afterEach(async () => {
  for (const each of databases.splice(0)) await each.drop();
});

async function newDatabase(options: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const created = await createTestDatabase(options);
  databases = [...databases, created];
  return created;
}

function settingsFor(url: string, address = process.env['SENDONCE_TEST_TEMPORAL_ADDRESS'] ?? ''): Settings {
  return { database: { url }, temporal: { connection: { address }, namespace: 'default' } };
}

/** The error of a start, and how many connections it left to the database. */
async function failure(starting: Promise<unknown>): Promise<{ code: unknown; message: string }> {
  const error: unknown = await starting.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('It started.');
  return { code: 'code' in error ? error.code : null, message: error.message };
}

async function connectionsTo({ database }: TestDatabase): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}

describe.each(STARTS)('$name that cannot start says what to do in one line', ({ start }) => {
  test('Temporal out of reach', async () => {
    const database = await newDatabase();
    const address = `127.0.0.1:${await findFreePort()}`;
    const { code, message } = await failure(start(settingsFor(database.url, address)));
    expect(code).toBe('SENDONCE_TEMPORAL_UNREACHABLE');
    expect(message).toMatch(
      new RegExp(`^Temporal at ${address} cannot be reached \\(.+\\)\\. Start it, or set TEMPORAL_ADDRESS .*$`),
    );
    await until(async () => (await connectionsTo(database)) === 0);
  });

  test('a namespace that is not there', async () => {
    const database = await newDatabase();
    const settings = settingsFor(database.url);
    const temporal = { ...settings.temporal, namespace: 'nowhere' };
    const { code, message } = await failure(start({ ...settings, temporal }));
    expect(code).toBe('SENDONCE_NAMESPACE_MISSING');
    expect(message).toMatch(
      /^Temporal at .* has no namespace nowhere\. Set TEMPORAL_NAMESPACE to one that it has, .*$/,
    );
    await until(async () => (await connectionsTo(database)) === 0);
  });

  test('Postgres out of reach, its password not shown', async () => {
    const port = await findFreePort();
    const { code, message } = await failure(start(settingsFor(`postgres://someone:hunter2@127.0.0.1:${port}/shop`)));
    expect(code).toBe('SENDONCE_DATABASE_UNREACHABLE');
    expect(message).toMatch(
      new RegExp(`^Postgres at 127.0.0.1:${port} cannot be reached \\(.+\\)\\. Start it, or set DATABASE_URL .*$`),
    );
    expect(message).not.toContain('hunter2');
  });

  test('a database that does not exist', async () => {
    const { url } = await newDatabase();
    const { code, message } = await failure(start(settingsFor(`${url}_not`)));
    expect(code).toBe('SENDONCE_DATABASE_UNREACHABLE');
    expect(message).toMatch(
      /^Postgres at .* \(database "test_.*_not" does not exist\)\. Correct .* in DATABASE_URL\.$/,
    );
  });

  test('a schema that is not there', async () => {
    const database = await newDatabase({ migrated: false });
    const { code, message } = await failure(start(settingsFor(database.url)));
    expect(code).toBe('SENDONCE_SCHEMA_MISSING');
    expect(message).toMatch(
      /^The database has no schema sendonce with sendonce in it\. Run npx sendonce migrate, or .*$/,
    );
    await until(async () => (await connectionsTo(database)) === 0);
  });

  test('a schema of a newer release', async () => {
    const database = await newDatabase();
    await database.database.pool.query(
      `insert into sendonce.migrations (name, run_on) values ('9001_later', now()), ('9002_latest', now())`,
    );
    const { code, message } = await failure(start(settingsFor(database.url)));
    expect(code).toBe('SENDONCE_SCHEMA_NEWER');
    expect(message).toMatch(/^The schema sendonce has 9001_later, 9002_latest, which .* Run the newer release .*$/);
  });

  test('a database that may lose confirmed commits', async () => {
    const database = await newDatabase();
    await database.database.pool.query(
      `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
    );
    const { code, message } = await failure(start(settingsFor(database.url)));
    expect(code).toBe('SENDONCE_ASYNCHRONOUS_COMMIT');
    expect(message).toMatch(/^Postgres runs with synchronous_commit = off .*Set it to on .*$/);
  });
});

describe('a worker that cannot start leaves nothing open', () => {
  test('two tools of one name → one line, no connection to the database, and a process that ends by itself', async () => {
    const database = await newDatabase();
    const source = `
      require('./test/support/translate-typescript.cjs');
      const { startWorker } = require('./src/worker.ts');
      const { readAccount } = require('./test/support/payout-tools.ts');
      const settings = ${JSON.stringify(settingsFor(database.url))};
      startWorker({ settings, tools: [readAccount(), readAccount()], model: 'none' }).catch((error) => {
        console.log(error.code + ': ' + error.message);
      });`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', source], { cwd: ROOT });
    expect(stdout).toMatch(/^SENDONCE_TOOL_NAME_TAKEN: There are two tools named read_account\. Rename one.*\n$/);
    await until(async () => (await connectionsTo(database)) === 0);
  });
});

describe('a client’s options', () => {
  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('maxSteps %p → refused', async (maxSteps) => {
    await expect(connectClient({ settings: settingsFor('postgres://a@127.0.0.1/b'), maxSteps })).rejects.toThrow(
      'maxSteps must be a whole number above zero',
    );
  });
});
