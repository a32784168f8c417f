import { Pool, type PoolClient } from 'pg';
import { DatabaseUnreachableError, isUnreachable } from './database-errors';

/** The schema that holds everything of ours, unless the user names another. */
export const DEFAULT_SCHEMA = 'sendonce';

/** Which Postgres to use, and how. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`; TLS by `sslmode` and the like. */
  readonly url: string;
  readonly schema?: string;
  /** Connections of this process. */
  readonly poolSize?: number;
}

/** The pool, and the schema its statements name. */
export interface Database {
  readonly pool: Pool;
  /** Quoted for SQL. */
  readonly schema: string;
  close(): Promise<void>;
}

/** A statement that hangs (a half-open connection) must end well before a send deadline would have made it useless. */
const STATEMENT_TIMEOUT_MS = 8_000;
const CONNECT_TIMEOUT_MS = 5_000;
const DEFAULT_POOL_SIZE = 10;

/** A pool that connects when it is first used; `close` it at the end. For `migrate`, which needs no worker. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSize ?? DEFAULT_POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'sendonce',
  });
  // An idle connection that breaks (server restart) is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  return { pool, schema: quoteSchema(options.schema ?? DEFAULT_SCHEMA), close: () => pool.end() };
}

/** Runs `use`, and says which server it was where Postgres could not be reached; never shows the password. */
export async function reaching<T>({ pool }: Database, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    throw isUnreachable(error) ? new DatabaseUnreachableError(serverOf(pool), error) : error;
  }
}

/** Runs `use` on one connection. */
export async function withConnection<T>(database: Database, use: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await database.pool.connect().catch((cause: unknown) => {
    throw new DatabaseUnreachableError(serverOf(database.pool), cause);
  });
  try {
    return await use(client);
  } finally {
    client.release();
  }
}

function serverOf(pool: Pool): string {
  const { connectionString, host, port } = pool.options;
  try {
    return new URL(connectionString ?? '').host;
  } catch {
    return `${host ?? 'localhost'}:${port ?? 5432}`;
  }
}

/** Names that need no quotes, so that people can write them in `psql` as they are. */
export function isSchemaName(name: string): boolean {
  return /^[a-z_][a-z0-9_]{0,62}$/.test(name);
}

function quoteSchema(schema: string): string {
  if (!isSchemaName(schema)) {
    throw new RangeError(
      `The schema ${JSON.stringify(schema)} must be lower-case letters, digits and _, and begin with no digit.`,
    );
  }
  return `"${schema}"`;
}
