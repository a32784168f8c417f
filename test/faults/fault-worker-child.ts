import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { until } from '../support/until';
import type { FaultWorkerOptions, FaultWorkerOrder, FaultWorkerWord } from './fault-worker';

const LAST_LINES = 30;

/** A worker process as the run that started it sees it. */
export class FaultWorkerChild {
  readonly words: FaultWorkerWord[] = [];
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #errors: string[] = [];
  readonly #onExit = () => this.signal('SIGKILL');

  constructor(options: FaultWorkerOptions) {
    this.#process = spawn(process.execPath, [require.resolve('./run-fault-worker.cjs'), JSON.stringify(options)]);
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.words.push(JSON.parse(line)));
    createInterface({ input: this.#process.stderr }).on('line', (line) => {
      this.#errors.push(line);
      if (this.#errors.length > LAST_LINES) this.#errors.shift();
    });
    // An order to a process that is gone.
    this.#process.stdin.on('error', () => undefined);
    // A frozen process does not see that its stdin is closed.
    process.on('exit', this.#onExit);
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Names of the operations that stand at the edge, or did. */
  get held(): ReadonlySet<string> {
    return new Set(this.words.flatMap((said) => (said.word === 'held' ? [said.name] : [])));
  }

  /** Names of the operations whose call was run here. */
  get took(): ReadonlySet<string> {
    return new Set(this.words.flatMap((said) => (said.word === 'took' ? [said.name] : [])));
  }

  get errors(): readonly string[] {
    return this.#errors;
  }

  /** Throws its last words where it ended before it took work. */
  async ready(): Promise<void> {
    await until(() => this.hasEnded || this.words.some(({ word }) => word === 'ready'));
    if (this.hasEnded) throw new Error(`The worker ended before it took work:\n${this.#errors.join('\n')}`);
  }

  order(order: FaultWorkerOrder): void {
    this.#process.stdin.write(`${JSON.stringify(order)}\n`);
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.hasEnded) this.#process.kill(signal);
  }

  async end(): Promise<void> {
    this.signal('SIGKILL');
    await until(() => this.hasEnded);
    process.off('exit', this.#onExit);
  }
}
