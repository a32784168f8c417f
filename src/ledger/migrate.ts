import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { type Database, withConnection } from './database';
import { AsynchronousCommitError, SchemaMissingError, SchemaNewerError } from './database-errors';

const MIGRATIONS = join(__dirname, 'migrations');
const MIGRATIONS_TABLE = 'migrations';

/**
 * Brings the schema to this release; gives the names of what was applied. Safe to run from several processes at once:
 * the later ones wait. It holds a session lock, so the connection must be a direct one (no transaction pooler).
 */
export async function migrate(database: Database): Promise<string[]> {
  const { runner } = await import('node-pg-migrate');
  const schema = bare(database);
  return withConnection(database, async (client) => {
    try {
      const applied = await runner({
        dbClient: client,
        dir: MIGRATIONS,
        direction: 'up',
        schema,
        createSchema: true,
        migrationsSchema: schema,
        migrationsTable: MIGRATIONS_TABLE,
        advisoryLockMode: 'wait',
        logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      });
      return applied.map((migration) => migration.name);
    } finally {
      // The runner leaves the search path at our schema, and the connection goes back to the pool.
      await client.query('reset search_path');
    }
  });
}

/** Throws unless the schema is exactly this release's and commits are safe. Called when a worker or client starts. */
export async function checkSchema(database: Database): Promise<void> {
  const shipped = await shippedMigrations();
  await withConnection(database, async (client) => {
    const { rows } = await client.query<{ commit: string }>("select current_setting('synchronous_commit') as commit");
    if (rows[0]?.commit === 'off') throw new AsynchronousCommitError();
    const applied = await appliedMigrations(client, database);
    const missing = shipped.filter((name) => !applied.includes(name));
    if (missing.length > 0) throw new SchemaMissingError(bare(database), missing, applied.length === 0);
    const unfamiliar = applied.filter((name) => !shipped.includes(name));
    if (unfamiliar.length > 0) throw new SchemaNewerError(bare(database), unfamiliar);
  });
}

async function shippedMigrations(): Promise<string[]> {
  const files = await readdir(MIGRATIONS);
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();
}

async function appliedMigrations(client: PoolClient, database: Database): Promise<string[]> {
  const table = `${database.schema}.${MIGRATIONS_TABLE}`;
  const found = await client.query<{ found: string | null }>('select to_regclass($1)::text as found', [table]);
  if (found.rows[0]?.found === null) return [];
  const { rows } = await client.query<{ name: string }>(`select name from ${table} order by id`);
  return rows.map((row) => row.name);
}

function bare(database: Database): string {
  return database.schema.slice(1, -1);
}

function ignore(): void {
  // The runner narrates every statement; what was applied is in the result.
}
