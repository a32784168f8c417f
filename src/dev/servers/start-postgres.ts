import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareDataFolder } from './data-folder';
import { DevServerError } from './dev-server-error';
import { claimFolder } from './folder-claim';
import { findFreePort, portInUse, requireFreePort } from './ports';
import { type PostgresBinaries, postgresBinaries } from './postgres-binaries';
import { ensureCluster, type PostgresCluster } from './postgres-cluster';
import { ensureDatabase, postgresUrl, servesCluster } from './postgres-login';
import { clusterHome } from './postgres-shelter';
import { postgresUser, type ServerUser } from './postgres-user';
import { findPostmaster } from './postmaster';
import {
  adoptServerProcess,
  lastWords,
  type ServerProcess,
  type StopManner,
  startServerProcess,
} from './server-process';

export interface StartPostgresOptions {
  /** Holds the database, its password and its log; created if it is not there. */
  readonly dataDir: string;
  /** Any free one by default. An adopted server keeps the port it has. */
  readonly port?: number;
  readonly onProgress?: (line: string) => void;
  /** What a person changes to get another port or folder; named in errors. */
  readonly settings?: { readonly port: string; readonly dataDir: string };
}

export interface PostgresServer {
  /** With user and password, to the database `sendonce`; the user is a superuser. */
  readonly url: string;
  readonly port: number;
  /** Stops the server, also one that was adopted. To be called again without harm. */
  stop(): Promise<void>;
}

/** The database of ours on it. */
export const DEMO_DATABASE = 'sendonce';
const defaultSettings = { port: 'SENDONCE_POSTGRES_PORT', dataDir: 'SENDONCE_DATA_DIR' };
/** "Fast shutdown": connections are cut, nothing committed is lost. If it takes too long: as at a crash, recovered from. */
const stopManner: StopManner = { signal: 'SIGINT', patienceMs: 10_000, lastSignal: 'SIGQUIT' };
/** Recovery after a crash comes before the first answer. */
const startPatienceMs = 60_000;
const pollMs = 30;
/** Children of a server that was killed see it within a second, and hold the data until then. */
const heldPatienceMs = 5_000;
const heldByLastServer = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/;
const portTaken = /Address already in use|could not create any TCP\/IP sockets/;

/**
 * Starts the embedded Postgres, or takes over the one of an earlier run that was killed without stopping it. It listens
 * on 127.0.0.1 only, with everything that guards a commit left on (`fsync`, `synchronous_commit`): the ledger's promises
 * hold here too. After a kill -9 of the server: stop, then start again. Throws `DevServerError`.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<PostgresServer> {
  const dataDir = resolve(options.dataDir);
  const settings = options.settings ?? defaultSettings;
  const onProgress = options.onProgress ?? (() => {});
  prepareDataFolder(dataDir, settings.dataDir);
  const claim = await claimFolder({ folder: dataDir, server: 'Postgres', setting: settings.dataDir, onProgress });
  try {
    const user = postgresUser();
    const binaries = postgresBinaries(user);
    const cluster = await ensureCluster(clusterHome(dataDir, user, onProgress), binaries, user, onProgress);
    const { process, port } =
      (await adopt(cluster, onProgress)) ??
      (await start(cluster, binaries, user, join(dataDir, 'postgres.log'), options.port, settings.port));
    try {
      await ensureDatabase(cluster, port, DEMO_DATABASE);
    } catch (error) {
      await process.stop();
      throw error;
    }
    onProgress(`Postgres answers on 127.0.0.1:${port}`);
    const stop = async () => {
      await process.stop();
      claim.release();
    };
    return { url: postgresUrl(cluster, port, DEMO_DATABASE), port, stop };
  } catch (error) {
    claim.release();
    throw error;
  }
}

interface Running {
  readonly process: ServerProcess;
  readonly port: number;
}

/** Adopted and not replaced: stopping it first would only add a recovery, and it runs with the same settings. */
async function adopt(cluster: PostgresCluster, onProgress: (line: string) => void): Promise<Running | null> {
  const postmaster = await findPostmaster(cluster);
  if (postmaster === null) return null;
  onProgress(`taking over Postgres of an earlier run (process ${postmaster.pid})`);
  return { process: adoptServerProcess(postmaster.pid, stopManner), port: postmaster.port };
}

async function start(
  cluster: PostgresCluster,
  binaries: PostgresBinaries,
  user: ServerUser | null,
  logFile: string,
  wantedPort: number | undefined,
  portSetting: string,
): Promise<Running> {
  const port = wantedPort ?? (await findFreePort());
  await requireFreePort(port, 'Postgres', portSetting);
  for (const giveUpAt = Date.now() + heldPatienceMs; ; await sleep(pollMs)) {
    const process = await startServerProcess({
      command: binaries.postgres,
      args: [
        ...['-D', cluster.data, '-p', String(port)],
        ...['-c', 'listen_addresses=127.0.0.1'],
        // No socket file: its path may be too long, and /tmp is not ours.
        ...['-c', 'unix_socket_directories='],
      ],
      cwd: cluster.data,
      user,
      logFile,
      stopManner,
    });
    if (await answersOrDies(process, cluster, port)) return { process, port };
    await process.stop();
    const words = lastWords(logFile);
    if (portTaken.test(words)) throw await portInUse(port, 'Postgres', portSetting);
    if (!heldByLastServer.test(words) || Date.now() > giveUpAt) {
      throw new DevServerError(
        'SENDONCE_SERVER_DIED',
        `Postgres did not start; its log (${logFile}) ends with:\n${words}`,
      );
    }
  }
}

async function answersOrDies(process: ServerProcess, cluster: PostgresCluster, port: number): Promise<boolean> {
  for (const giveUpAt = Date.now() + startPatienceMs; process.isRunning(); await sleep(pollMs)) {
    if (await servesCluster(cluster, port)) return true;
    if (Date.now() > giveUpAt) break;
  }
  return false;
}
