import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePorts } from '../../src/dev/servers/ports';
import { shelterLink } from '../../src/dev/servers/postgres-shelter';
import { postmasterOf } from '../../src/dev/servers/postmaster';
import { type PostgresServer, startPostgres } from '../../src/dev/servers/start-postgres';
import { startTemporal, type TemporalServer } from '../../src/dev/servers/start-temporal';
import { serversOn } from '../../src/dev/servers/temporal-leftover';
import { makeThrowawayFolder } from '../../src/dev/servers/throwaway-folder';
import { createDatabaseOn, type TestDatabase } from '../support/test-database';
import { workflowBundle } from '../support/workflow-bundle';

/** Servers of our own, since they are killed. */
export class Stage {
  readonly bundle: string;
  readonly #folder: string;
  readonly #postgresPort: number;
  readonly #temporalPort: number;
  #postgres: PostgresServer;
  #temporal: TemporalServer;

  private constructor(folder: string, bundle: string, servers: Servers) {
    this.#folder = folder;
    this.bundle = bundle;
    this.#postgres = servers.postgres;
    this.#temporal = servers.temporal;
    this.#postgresPort = servers.postgres.port;
    this.#temporalPort = servers.temporalPort;
  }

  static async open(onProgress: (line: string) => void): Promise<Stage> {
    const folder = makeThrowawayFolder(join(__dirname, '../../.sendonce'), 'faults-');
    try {
      const bundle = join(folder, 'workflows.js');
      writeFileSync(bundle, (await workflowBundle()).code);
      return new Stage(folder, bundle, await startServers(folder, onProgress));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get temporal(): { readonly address: string; readonly namespace: string } {
    return this.#temporal;
  }

  /** A database of one cell. */
  createDatabase(): Promise<TestDatabase> {
    return createDatabaseOn(this.#postgres.url);
  }

  /** An immediate shutdown: nothing is finished, as at a crash. */
  async crashPostgres(): Promise<void> {
    const dataDir = postgresFolder(this.#folder);
    const sheltered = join(dataDir, shelterLink);
    const postmaster = postmasterOf(join(existsSync(sheltered) ? sheltered : dataDir, 'data'));
    if (postmaster === null) throw new Error('Postgres is to crash and does not run.');
    process.kill(postmaster.pid, 'SIGQUIT');
    await this.#postgres.stop();
  }

  async startPostgres(): Promise<void> {
    this.#postgres = await startPostgres({ dataDir: postgresFolder(this.#folder), port: this.#postgresPort });
  }

  async crashTemporal(): Promise<void> {
    const pids = serversOn(join(temporalFolder(this.#folder), 'temporal.db'));
    if (pids.length === 0) throw new Error('Temporal is to crash and does not run.');
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await this.#temporal.stop();
  }

  async startTemporal(): Promise<void> {
    this.#temporal = await startTemporalOn(this.#folder, this.#temporalPort);
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#postgres.stop(), this.#temporal.stop()]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface Servers {
  readonly postgres: PostgresServer;
  readonly temporal: TemporalServer;
  readonly temporalPort: number;
}

async function startServers(folder: string, onProgress: (line: string) => void): Promise<Servers> {
  const [temporalPort = 0] = await findFreePorts(1);
  const [postgres, temporal] = await Promise.allSettled([
    startPostgres({ dataDir: postgresFolder(folder), onProgress }),
    startTemporalOn(folder, temporalPort, onProgress),
  ]);
  if (postgres.status === 'fulfilled' && temporal.status === 'fulfilled') {
    return { postgres: postgres.value, temporal: temporal.value, temporalPort };
  }
  for (const each of [postgres, temporal]) if (each.status === 'fulfilled') await each.value.stop();
  throw postgres.status === 'rejected' ? postgres.reason : temporal.status === 'rejected' ? temporal.reason : null;
}

function startTemporalOn(
  folder: string,
  port: number,
  onProgress: (line: string) => void = () => undefined,
): Promise<TemporalServer> {
  return startTemporal({ dataDir: temporalFolder(folder), port, fast: true, searchAttributes: true, onProgress });
}

function postgresFolder(folder: string): string {
  return join(folder, 'postgres');
}

function temporalFolder(folder: string): string {
  return join(folder, 'temporal');
}
