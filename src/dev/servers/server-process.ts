import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from './process-identity';

const pollMs = 20;
const lastLines = 15;

/** A server's process: started by us, or left over from an earlier run. */
export interface ServerProcess {
  readonly pid: number;
  isRunning(): boolean;
  /** Asks it to stop, waits, and kills it after `patienceMs`. To be called again, and after its death, without harm. */
  stop(): Promise<void>;
}

export interface StopManner {
  readonly signal: NodeJS.Signals;
  readonly patienceMs: number;
  readonly lastSignal: NodeJS.Signals;
}

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly user?: { readonly uid: number; readonly gid: number } | null;
  /** Emptied first. A file and no pipe: a pipe nobody reads any more would trouble a server that outlives us. */
  readonly logFile: string;
  readonly stopManner: StopManner;
}

/**
 * Starts a server in a process group of its own, so that a Ctrl-C in the terminal reaches only us and the servers stop
 * when their users have stopped. Resolves at once; the server may still die.
 */
export async function startServerProcess(server: ServerCommand): Promise<ServerProcess> {
  const log = openSync(server.logFile, 'w');
  try {
    const child = spawn(server.command, server.args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: server.env ?? process.env,
      ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
      ...(server.user ? { uid: server.user.uid, gid: server.user.gid } : {}),
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    // A script that forgets `stop` must be able to end; see the exit handler below.
    child.unref();
    if (child.pid === undefined) throw new Error('Bug: a process that has spawned has a number.');
    return track(child.pid, server.stopManner, () => child.exitCode === null && child.signalCode === null);
  } finally {
    closeSync(log);
  }
}

/** Takes charge of a running process that somebody else started. */
export function adoptServerProcess(pid: number, stopManner: StopManner): ServerProcess {
  const identity = processIdentity(pid);
  return track(pid, stopManner, () => identity !== null && processIdentity(pid) === identity);
}

/** The last lines a server wrote, for an error message. */
export function lastWords(logFile: string): string {
  try {
    return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lastLines).join('\n');
  } catch {
    return '';
  }
}

function track(pid: number, manner: StopManner, isRunning: () => boolean): ServerProcess {
  // Whatever ends Node in an orderly way, an error nobody caught included, takes the server along. A kill -9 does not:
  // the next start copes with the orphan.
  const onExit = () => signal(pid, manner.signal, isRunning);
  process.on('exit', onExit);
  const stop = async () => {
    signal(pid, manner.signal, isRunning);
    if (!(await ends(isRunning, manner.patienceMs))) {
      signal(pid, manner.lastSignal, isRunning);
      await ends(isRunning, manner.patienceMs);
    }
    process.off('exit', onExit);
  };
  let stopping: Promise<void> | undefined;
  return {
    pid,
    isRunning,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

async function ends(isRunning: () => boolean, patienceMs: number): Promise<boolean> {
  for (const giveUpAt = Date.now() + patienceMs; isRunning(); await sleep(pollMs)) {
    if (Date.now() > giveUpAt) return false;
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals, isRunning: () => boolean): void {
  if (!isRunning()) return;
  try {
    process.kill(pid, name);
  } catch {
    // It ended in between.
  }
}
