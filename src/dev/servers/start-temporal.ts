import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { prepareDataFolder } from './data-folder';
import { DevServerError } from './dev-server-error';
import { claimFolder } from './folder-claim';
import { findFreePort, portInUse, requireFreePort } from './ports';
import { adoptServerProcess, lastWords, type StopManner, startServerProcess } from './server-process';
import { serversOn } from './temporal-leftover';
import { findTemporalCli } from './temporal-programs';
import { addSearchAttributes, untilReady } from './temporal-ready';

export interface StartTemporalOptions {
  /** Holds the database and the log; created if it is not there. */
  readonly dataDir: string;
  /** Any free one by default. */
  readonly port?: number;
  /** Without it there is no web page. */
  readonly uiPort?: number;
  /** `temporal.log` in `dataDir` by default; emptied at each start. */
  readonly logFile?: string;
  /** Polls its queues far more often: an activity takes 50 ms instead of 100, and an idle server more of the processor. */
  readonly fast?: boolean;
  /** Registers the toolkit's search attributes. */
  readonly searchAttributes?: boolean;
  /** Where a fetched CLI is kept; `.cache` of this project by default. */
  readonly cacheDir?: string;
  readonly onProgress?: (line: string) => void;
  /** What a person changes to get other ports or another folder; named in errors. */
  readonly settings?: { readonly port: string; readonly uiPort: string; readonly dataDir: string };
}

export interface TemporalServer {
  readonly address: string;
  readonly namespace: string;
  /** Null where there is no web page, or where it is not ours. */
  readonly uiUrl: string | null;
  /** To be called again without harm. */
  stop(): Promise<void>;
}

const defaultSettings = {
  port: 'SENDONCE_TEMPORAL_PORT',
  uiPort: 'SENDONCE_TEMPORAL_UI_PORT',
  dataDir: 'SENDONCE_DATA_DIR',
};
const namespace = 'default';
/** It takes about a second; its data survive the kill that follows. */
const stopManner: StopManner = { signal: 'SIGTERM', patienceMs: 10_000, lastSignal: 'SIGKILL' };
const startPatienceMs = 60_000;
/** The server looks at each of these queues 20 times a second otherwise. */
const polledFaster = ['transfer', 'timer', 'visibility'].flatMap((queue) => [
  '--dynamic-config-value',
  `history.${queue}ProcessorMaxPollRPS=2000`,
]);

/**
 * Starts Temporal's development server on 127.0.0.1, with data that survive a kill -9. Where TEMPORAL_ADDRESS is set,
 * starts nothing and returns that server, which may not even answer. Throws `DevServerError`.
 */
export async function startTemporal(options: StartTemporalOptions): Promise<TemporalServer> {
  const { TEMPORAL_ADDRESS: external, TEMPORAL_NAMESPACE: externalNamespace } = process.env;
  if (external) {
    options.onProgress?.(`Temporal is the one of TEMPORAL_ADDRESS: ${external}`);
    return { address: external, namespace: externalNamespace || namespace, uiUrl: null, stop: async () => {} };
  }
  const dataDir = resolve(options.dataDir);
  const settings = options.settings ?? defaultSettings;
  const onProgress = options.onProgress ?? (() => {});
  prepareDataFolder(dataDir, settings.dataDir);
  const claim = await claimFolder({ folder: dataDir, server: 'Temporal', setting: settings.dataDir, onProgress });
  try {
    const server = await start(dataDir, options, settings, onProgress);
    const stop = async () => {
      await server.stop();
      claim.release();
    };
    return { ...server, stop };
  } catch (error) {
    claim.release();
    throw error;
  }
}

async function start(
  dataDir: string,
  options: StartTemporalOptions,
  settings: typeof defaultSettings,
  onProgress: (line: string) => void,
): Promise<TemporalServer> {
  const cli = await findTemporalCli({
    onProgress,
    ...(options.cacheDir === undefined ? {} : { cacheDir: options.cacheDir }),
  });
  // By its real name: the same file must not have two.
  const databaseFile = join(realpathSync(dataDir), 'temporal.db');
  await stopLeftovers(databaseFile, onProgress);
  const port = options.port ?? (await findFreePort());
  await requireFreePort(port, 'Temporal', settings.port);
  const { uiPort } = options;
  if (uiPort !== undefined) await requireFreePort(uiPort, "Temporal's web page", settings.uiPort);

  const logFile = options.logFile ?? join(dataDir, 'temporal.log');
  const process = await startServerProcess({
    command: cli,
    args: [
      ...['server', 'start-dev', '--db-filename', databaseFile, '--ip', '127.0.0.1', '--port', String(port)],
      ...(uiPort === undefined ? ['--headless'] : ['--ui-ip', '127.0.0.1', '--ui-port', String(uiPort)]),
      ...['--log-level', 'warn'],
      ...(options.fast ? polledFaster : []),
    ],
    env: withoutTemporalSettings(),
    logFile,
    stopManner,
  });
  try {
    const giveUpAt = Date.now() + startPatienceMs;
    if (!(await untilReady(port, namespace, () => !process.isRunning() || Date.now() > giveUpAt))) {
      const words = lastWords(logFile);
      const taken = /address already in use/.test(words);
      if (taken) {
        throw uiPort !== undefined && words.includes(`:${uiPort}`)
          ? await portInUse(uiPort, "Temporal's web page", settings.uiPort)
          : await portInUse(port, 'Temporal', settings.port);
      }
      throw new DevServerError(
        'SENDONCE_SERVER_DIED',
        `Temporal did not start; its log (${logFile}) ends with:\n${words}`,
      );
    }
    if (options.searchAttributes === true) await addSearchAttributes(port, namespace);
  } catch (error) {
    await process.stop();
    throw error;
  }
  onProgress(`Temporal answers on 127.0.0.1:${port}`);
  return {
    address: `127.0.0.1:${port}`,
    namespace,
    uiUrl: uiPort === undefined ? null : `http://127.0.0.1:${uiPort}`,
    stop: () => process.stop(),
  };
}

/**
 * A server that a killed process of ours left behind is replaced, not adopted: it may run on other ports, without a page,
 * or slower than is wanted now, its log is somewhere else, and a new one on the same data is there in a second.
 */
async function stopLeftovers(databaseFile: string, onProgress: (line: string) => void): Promise<void> {
  for (const pid of serversOn(databaseFile)) {
    onProgress(`stopping Temporal of an earlier run (process ${pid})`);
    const leftover = adoptServerProcess(pid, stopManner);
    await leftover.stop();
    if (leftover.isRunning()) {
      throw new DevServerError(
        'SENDONCE_SERVER_SILENT',
        `Temporal of an earlier run (process ${pid}) does not end: run kill -9 ${pid}, then start again.`,
      );
    }
  }
}

/** The CLI reads TEMPORAL_… variables too, which are meant for clients. */
function withoutTemporalSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}
