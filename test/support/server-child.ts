import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process of its own that runs one development server. */
export interface ServerChild<Server> {
  readonly process: ChildProcessWithoutNullStreams;
  /** What `startPostgres` or `startTemporal` returned there, without its functions. */
  readonly server: Server;
  /** What it has printed since, and its exit code. */
  readonly end: Promise<{ lines: string[]; code: number | null }>;
}

/** Starts the process without waiting for anything. */
export function spawnServerChild(kind: 'postgres' | 'temporal', options: object): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [require.resolve('./run-server.cjs'), kind, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export async function startServerChild<Server>(
  kind: 'postgres' | 'temporal',
  options: object,
): Promise<ServerChild<Server>> {
  const child = spawnServerChild(kind, options);
  const errors: string[] = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const ended = once(child, 'close').then(([code]) => ({ lines, code: code as number | null }));
  const first = await Promise.race([once(reader, 'line').then(([line]) => String(line)), ended.then(() => null)]);
  reader.on('line', (line) => lines.push(line));
  const message = JSON.parse(first ?? '{}') as { server?: Server };
  if (message.server === undefined) throw new Error(`The process that runs ${kind} says: ${first}\n${errors.join('')}`);
  return { process: child, server: message.server, end: ended };
}
