// Needs Postgres.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TURN_KINDS, TURN_OUTCOMES } from '../../src/conversations/turns';
import { openDatabase } from '../../src/ledger/database';
import { checkSchema, migrate } from '../../src/ledger/migrate';
import { STATES } from '../../src/operations/state';
import { schemaDump } from '../support/schema-dump';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

/** In their order; none is ever changed or removed. */
const MIGRATIONS = [
  '0001_operations',
  '0002_conversations',
  '0003_model_requests',
  '0004_find_operations',
  '0005_ledger_identity',
  '0006_reconciliation',
  '0007_follow_ups',
];

let test_: TestDatabase;
beforeEach(async () => {
  test_ = await createTestDatabase({ migrated: false });
});
afterEach(() => test_.drop());

const run = (sql: string) => test_.database.pool.query(sql);

describe('migrate', () => {
  test('an empty database gets the schema, a migrated one stays as it is', async () => {
    expect(await migrate(test_.database)).toEqual(MIGRATIONS);
    expect(await migrate(test_.database)).toEqual([]);
    await checkSchema(test_.database);
  });

  test('a connection that migrated finds the tables of others as before', async () => {
    const one = openDatabase({ url: test_.url, poolSize: 1 });
    try {
      await migrate(one);
      const { rows } = await one.pool.query<{ path: string }>("select current_setting('search_path') as path");
      expect(rows).toEqual([{ path: '"$user", public' }]);
    } finally {
      await one.close();
    }
  });

  test('of four migrators at once one migrates and the others wait', async () => {
    const others = Array.from({ length: 3 }, () => openDatabase({ url: test_.url }));
    try {
      const applied = await Promise.all([test_.database, ...others].map((database) => migrate(database)));
      expect(applied.map((names) => names.length).sort()).toEqual([0, 0, 0, MIGRATIONS.length]);
    } finally {
      await Promise.all(others.map((database) => database.close()));
    }
  });

  test('the schema is the committed one: a changed migration shows here', async () => {
    await migrate(test_.database);
    const committed = readFileSync(join(__dirname, 'schema.txt'), 'utf8');
    expect(await schemaDump(test_.database)).toBe(committed);
  });

  test('every table, and every column that may be null, says what it is for', async () => {
    await migrate(test_.database);
    const { rows } = await run(`
      select c.relname as table, a.attname as column
      from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_attribute a
        on a.attrelid = c.oid and a.attnum > 0 and not a.attnotnull
      where n.nspname = 'sendonce' and c.relkind = 'r' and c.relname <> 'migrations' and (
        obj_description(c.oid, 'pg_class') is null
        or (a.attnum is not null and col_description(c.oid, a.attnum) is null))`);
    expect(rows).toEqual([]);
  });

  test.each([
    ['operations', 'state', STATES],
    ['turns', 'outcome', TURN_OUTCOMES],
    ['turns', 'kind', TURN_KINDS],
  ])('the values of %s.%s are those of the code', async (table, column, values) => {
    await migrate(test_.database);
    const { rows } = await run(`
      select pg_get_constraintdef(oid) as definition from pg_constraint
      where conname = '${table}_${column}_check' and connamespace = 'sendonce'::regnamespace`);
    const listed = [...String(rows[0]?.definition).matchAll(/'(\w+)'::text/g)].map(([, value]) => value);
    expect(listed).toEqual([...values]);
  });
});

describe('checkSchema', () => {
  test('a missing schema is told as such, with what to run and which setting may be wrong', async () => {
    await expect(checkSchema(test_.database)).rejects.toMatchObject({
      code: 'SENDONCE_SCHEMA_MISSING',
      isEmpty: true,
      missing: MIGRATIONS,
      message: expect.stringMatching(/no schema sendonce .* Run npx sendonce migrate, or set SENDONCE_SCHEMA/),
    });
  });

  test('an older schema is told with what it lacks', async () => {
    await migrate(test_.database);
    await run(`delete from sendonce.migrations where name = '0002_conversations'`);
    await expect(checkSchema(test_.database)).rejects.toMatchObject({
      isEmpty: false,
      missing: ['0002_conversations'],
      message: expect.stringMatching(/lacks 0002_conversations\. Run npx sendonce migrate/),
    });
  });

  test('a newer schema is told with what this release does not know', async () => {
    await migrate(test_.database);
    await run(`insert into sendonce.migrations (name, run_on) values ('9999_future', now())`);
    await expect(checkSchema(test_.database)).rejects.toMatchObject({
      code: 'SENDONCE_SCHEMA_NEWER',
      message: expect.stringContaining('9999_future'),
    });
  });

  test('a server that may lose confirmed commits is refused', async () => {
    await migrate(test_.database);
    const url = new URL(test_.url);
    url.searchParams.set('options', '-c synchronous_commit=off');
    const careless = openDatabase({ url: url.href });
    try {
      await expect(checkSchema(careless)).rejects.toMatchObject({ code: 'SENDONCE_ASYNCHRONOUS_COMMIT' });
    } finally {
      await careless.close();
    }
  });

  test('a server out of reach is named, its password is not', async () => {
    const gone = openDatabase({ url: 'postgres://user:hunter2@127.0.0.1:1/sendonce' });
    try {
      const error = await checkSchema(gone).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'SENDONCE_DATABASE_UNREACHABLE', server: '127.0.0.1:1' });
      expect(String(error)).not.toContain('hunter2');
    } finally {
      await gone.close();
    }
  });

  test.each<[string, (url: URL) => void]>([
    ['no such database', (url) => (url.pathname = '/not_there')],
    ['no such role', (url) => (url.username = 'nobody')],
    ['a wrong password', (url) => (url.password = 'wrong')],
  ])('%s → DATABASE_URL is to be corrected; the server need not be started', async (_what, change) => {
    const url = new URL(test_.url);
    change(url);
    const shut = openDatabase({ url: url.href });
    try {
      await expect(checkSchema(shut)).rejects.toMatchObject({
        code: 'SENDONCE_DATABASE_UNREACHABLE',
        server: url.host,
        message: expect.stringMatching(/turned the connection away \(.*\)\. Correct the user, .* in DATABASE_URL\.$/),
      });
    } finally {
      await shut.close();
    }
  });

  test('another schema’s name is taken, an impossible one is refused', async () => {
    const other = openDatabase({ url: test_.url, schema: 'refunds_ledger' });
    try {
      await migrate(other);
      await checkSchema(other);
    } finally {
      await other.close();
    }
    expect(() => openDatabase({ url: test_.url, schema: 'a"; drop schema public; --' })).toThrow(RangeError);
  });
});
