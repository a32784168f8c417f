import { realpathSync } from 'node:fs';
import { Client } from 'pg';
import { type PostgresCluster, superuser } from './postgres-cluster';

const patienceMs = 2_000;

export function postgresUrl(cluster: PostgresCluster, port: number, database: string): string {
  return `postgres://${superuser}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/** Whether the server on the port takes our password and serves this very cluster. */
export async function servesCluster(cluster: PostgresCluster, port: number): Promise<boolean> {
  try {
    return await withClient(cluster, port, async (client) => {
      const { rows } = await client.query<{ folder: string }>("select current_setting('data_directory') as folder");
      const folder = rows[0]?.folder;
      return folder !== undefined && realpathSync(folder) === realpathSync(cluster.data);
    });
  } catch {
    return false;
  }
}

export async function ensureDatabase(cluster: PostgresCluster, port: number, name: string): Promise<void> {
  await withClient(cluster, port, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
}

async function withClient<Result>(
  cluster: PostgresCluster,
  port: number,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    connectionString: postgresUrl(cluster, port, 'postgres'),
    connectionTimeoutMillis: patienceMs,
    // Whatever PGSSLMODE says: this server has no TLS.
    ssl: false,
  });
  // A connection that breaks while nothing is asked must not end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
