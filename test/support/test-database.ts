import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Database, openDatabase } from '../../src/ledger/database';
import { migrate } from '../../src/ledger/migrate';

/** A database of one test file, and how to get rid of it. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  /** Moves the ledger's clock: the one seam in `src`. */
  advanceClock(ms: number): Promise<void>;
  drop(): Promise<void>;
}

/** A fresh, empty database on the test run's Postgres; migrated unless the test is about that. */
export async function createTestDatabase(options: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const server = process.env['SENDONCE_TEST_POSTGRES_URL'];
  if (server === undefined) throw new Error('The first line of the test file must say that it needs Postgres.');
  return createDatabaseOn(server, options);
}

/** The same on any Postgres, by the URL of a login that may create databases. */
export async function createDatabaseOn(server: string, options: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
  const url = withDatabase(server, name);
  const database = openDatabase({ url });
  if (options.migrated !== false) await migrate(database);
  return {
    url,
    database,
    advanceClock: async (ms) => {
      await database.pool.query(`update sendonce.clock set ahead = ahead + $1 * interval '1 millisecond'`, [ms]);
    },
    drop: async () => {
      await database.close();
      await administer(server, `drop database ${name} with (force)`);
    },
  };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
