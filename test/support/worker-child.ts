import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { KillableWorkerOptions } from './killable-worker';

/** A worker in a process of its own. */
export interface WorkerChild {
  readonly process: ChildProcessWithoutNullStreams;
  /** Waits until it has said this word; throws what it said instead if it ends before. */
  said(word: 'ready' | 'thinking' | 'sending'): Promise<void>;
}

export function startWorkerChild(options: KillableWorkerOptions): WorkerChild {
  const child = spawn(process.execPath, [require.resolve('./run-worker.cjs'), JSON.stringify(options)]);
  const words = new Set<string>();
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on('line', (word) => words.add(word));
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  return {
    process: child,
    said: async (word) => {
      while (!words.has(word)) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended:\n${errors.join('')}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}
