import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { startDevServers } from '../src/dev/servers/dev-servers';
import { openDatabase } from '../src/ledger/database';
import type { Settings } from '../src/settings';
import { type AiSdkTurns, openAiSdkTurns } from './ai-sdk/ai-sdk-turns';
import { type OurTurns, openOurTurns } from './our-turn';
import { openStores, type Stores } from './stores';

/** Everything that is measured, on servers of its own. */
export interface Stage {
  readonly stores: Stores;
  readonly ours: OurTurns;
  readonly aiSdk: AiSdkTurns;
  readonly temporal: Client;
  close(): Promise<void>;
}

/** As many as are under way together: nothing waits for a connection on either side. */
const POOL_SIZE = 16;

export async function openStage(folder: string, say: (line: string) => void): Promise<Stage> {
  // A server that somebody has set up for other work would be measured, and filled.
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('TEMPORAL_') && name !== 'TEMPORAL_CLI_PATH') delete process.env[name];
  }
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const servers = await startDevServers({ dataDir: folder, onProgress: say });
    closers.push(() => servers.stop());
    const { address, namespace } = servers.temporal;
    const settings: Settings = {
      database: { url: servers.databaseUrl, poolSize: POOL_SIZE },
      temporal: { connection: { address }, namespace },
    };
    const database = openDatabase(settings.database);
    closers.push(() => database.close());
    const stores = await openStores(database);
    const connection = await Connection.connect({ address });
    closers.push(() => connection.close());
    const temporal = new Client({ connection, namespace });
    say('bundling the workflows of both sides');
    const ours = await openOurTurns(settings, stores.bare);
    closers.push(() => ours.close());
    const aiSdk = await openAiSdkTurns(settings, temporal, stores.bare);
    closers.push(() => aiSdk.close());
    return { stores, ours, aiSdk, temporal, close };
  } catch (error) {
    await close();
    throw error;
  }
}
