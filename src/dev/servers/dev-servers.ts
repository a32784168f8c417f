import { join } from 'node:path';
import { type PostgresServer, startPostgres } from './start-postgres';
import { startTemporal, type TemporalServer } from './start-temporal';

export interface DevServersOptions {
  readonly dataDir: string;
  /** Any free ones by default. */
  readonly ports?: { readonly postgres: number; readonly temporal: number; readonly temporalUi: number };
  readonly onProgress: (line: string) => void;
}

export interface DevServers {
  readonly databaseUrl: string;
  readonly temporal: TemporalServer;
  stop(): Promise<void>;
}

/** The embedded default: Postgres and Temporal, side by side. Whichever started is stopped if the other cannot. */
export async function startDevServers({ dataDir, ports, onProgress }: DevServersOptions): Promise<DevServers> {
  const [postgres, temporal] = await Promise.allSettled([
    startPostgres({
      dataDir: join(dataDir, 'postgres'),
      onProgress,
      ...(ports ? { port: ports.postgres } : {}),
    }),
    startTemporal({
      dataDir: join(dataDir, 'temporal'),
      fast: true,
      searchAttributes: true,
      onProgress,
      ...(ports ? { port: ports.temporal, uiPort: ports.temporalUi } : {}),
    }),
  ]);
  const stop = async () => {
    await Promise.all([stopStarted(postgres), stopStarted(temporal)]);
  };
  if (postgres.status === 'rejected' || temporal.status === 'rejected') {
    await stop();
    throw postgres.status === 'rejected' ? postgres.reason : temporal.status === 'rejected' ? temporal.reason : null;
  }
  return { databaseUrl: postgres.value.url, temporal: temporal.value, stop };
}

async function stopStarted(started: PromiseSettledResult<PostgresServer | TemporalServer>): Promise<void> {
  if (started.status === 'fulfilled') await started.value.stop();
}
