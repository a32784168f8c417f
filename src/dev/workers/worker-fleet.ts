import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParentMessage, WORKER_CONFIG_VARIABLE, type WorkerConfig, type WorkerMessage } from './worker-config';

export interface FleetOptions {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly logDir: string;
}

/** One worker process. */
export interface FleetWorker {
  readonly pid: number;
  /** Ends when it stands where it was told to hold, and waits for `go`. */
  readonly holding: Promise<void>;
  go(): void;
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Asks it to stop, and waits. */
  stop(): Promise<void>;
}

/** The worker processes of a run: started, counted, killed for real. */
export class WorkerFleet {
  readonly #options: FleetOptions;
  readonly #children = new Set<ChildProcess>();
  #started = 0;
  #modelCalls = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** How often a model was asked, over all workers. */
  get modelCalls(): number {
    return this.#modelCalls;
  }

  /** Starts a worker and waits until it takes work. Throws what it said when it could not. */
  async start(config: WorkerConfig): Promise<FleetWorker> {
    const { databaseUrl, temporalAddress, temporalNamespace, logDir } = this.#options;
    const logFile = join(logDir, `worker-${++this.#started}.log`);
    const log = openSync(logFile, 'w');
    const child = fork(join(__dirname, 'worker-process.js'), {
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: temporalAddress,
        TEMPORAL_NAMESPACE: temporalNamespace,
        [WORKER_CONFIG_VARIABLE]: JSON.stringify(config),
      },
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    this.#children.add(child);
    child.on('exit', () => this.#children.delete(child));
    child.on('message', (message: WorkerMessage) => {
      if (message.kind === 'model-called') this.#modelCalls++;
    });
    const holding = messageOf(child, 'holding');
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The worker could not start: ${readFileSync(logFile, 'utf8').trim() || `see ${logFile}`}`);
    });
    await Promise.race([messageOf(child, 'ready'), ended]);
    ended.catch(() => undefined);
    return workerOf(child, holding);
  }

  /** Stops every worker that still runs; frozen ones are thawed first. */
  async stop(): Promise<void> {
    await Promise.all([...this.#children].map(stopChild));
  }
}

function workerOf(child: ChildProcess, holding: Promise<void>): FleetWorker {
  return {
    pid: child.pid ?? 0,
    holding,
    go: () => {
      const message: ParentMessage = { kind: 'go' };
      child.send(message);
    },
    signal: (signal) => {
      child.kill(signal);
    },
    stop: () => stopChild(child),
  };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  await ended;
}

function messageOf(child: ChildProcess, kind: WorkerMessage['kind']): Promise<void> {
  return new Promise((resolve) => {
    const listen = (message: WorkerMessage) => {
      if (message.kind !== kind) return;
      child.off('message', listen);
      resolve();
    };
    child.on('message', listen);
  });
}
