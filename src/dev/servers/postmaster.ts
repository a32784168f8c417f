import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DevServerError } from './dev-server-error';
import type { PostgresCluster } from './postgres-cluster';
import { servesCluster } from './postgres-login';
import { processIdentity, programName, workingFolder } from './process-identity';

/** What Postgres writes into postmaster.pid. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** Recovery after a crash, and a shutdown that waits for a checkpoint, take that long at most. */
const patienceMs = 30_000;
const pollMs = 50;
/** A number no process has. */
const nobody = 2_147_483_647;

/**
 * The server that still runs on the cluster, left over by a process of ours that was killed; null if there is none.
 * Waits while one is starting or stopping. A postmaster.pid that is left over itself is made harmless.
 */
export async function findPostmaster(cluster: PostgresCluster): Promise<Postmaster | null> {
  for (const giveUpAt = Date.now() + patienceMs; ; await sleep(pollMs)) {
    const postmaster = readPostmaster(cluster.data);
    if (postmaster === null) return null;
    if (!isOurs(postmaster.pid, cluster.data)) {
      disown(cluster.data);
      return null;
    }
    if (await servesCluster(cluster, postmaster.port)) return postmaster;
    if (Date.now() > giveUpAt) {
      throw new DevServerError(
        'SENDONCE_SERVER_SILENT',
        `Postgres of an earlier run (process ${postmaster.pid}) neither answers nor ends: run kill -9 ${postmaster.pid}, then start again.`,
      );
    }
  }
}

/** The server that runs on the data folder; null if none does. */
export function postmasterOf(data: string): Postmaster | null {
  const postmaster = readPostmaster(data);
  return postmaster !== null && isOurs(postmaster.pid, data) ? postmaster : null;
}

function readPostmaster(data: string): Postmaster | null {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number.parseInt(lines[0] ?? '', 10);
    return pid > 0 ? { pid, port: Number.parseInt(lines[3] ?? '', 10) || 0 } : null;
  } catch {
    return null;
  }
}

/** Whether the number still belongs to a Postgres of this cluster: it may have been given to another process since. */
function isOurs(pid: number, data: string): boolean {
  if (processIdentity(pid) === null || !programName(pid).startsWith('postgres')) return false;
  const folder = workingFolder(pid);
  return folder === null || folder === realpathSync(data);
}

/**
 * Postgres will not start while the process named in postmaster.pid lives, whatever that process is; so the name is
 * taken out. The file stays: its other lines let Postgres find children of the dead server that still use the data, and
 * wait for them.
 */
function disown(data: string): void {
  const file = join(data, 'postmaster.pid');
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [String(nobody), ...rest].join('\n'));
}
