import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { shelterLink } from './postgres-shelter';
import { postmasterOf } from './postmaster';
import { processIdentity } from './process-identity';
import { adoptServerProcess } from './server-process';
import { serversOn } from './temporal-leftover';

const ownerFile = 'owner.json';
const kill = { signal: 'SIGKILL', patienceMs: 5_000, lastSignal: 'SIGKILL' } as const;

/**
 * A new folder in `parent` for the data of servers that nobody needs after this process. Those of the same prefix whose
 * processes are gone (killed with -9) are removed first, with the servers that still run on them: no later start would
 * ask for such a folder again. Its user removes it in the ordinary case.
 */
export function makeThrowawayFolder(parent: string, prefix: string): string {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) if (name.startsWith(prefix)) removeAbandoned(join(parent, name));
  const folder = mkdtempSync(join(parent, prefix));
  // Under root, Postgres runs as another user, who has to get in.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, ownerFile), JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) }));
  return folder;
}

function removeAbandoned(folder: string): void {
  try {
    const owner = JSON.parse(readFileSync(join(folder, ownerFile), 'utf8')) as { pid: number; identity: string };
    if (processIdentity(owner.pid) === owner.identity) return;
    const servers = readdirSync(realpathSync(folder)).map((name) => join(realpathSync(folder), name));
    for (const dataDir of servers) {
      const postmaster = postmasterOf(join(dataDir, 'data')) ?? postmasterOf(join(dataDir, shelterLink, 'data'));
      const pids = [...serversOn(join(dataDir, 'temporal.db')), ...(postmaster === null ? [] : [postmaster.pid])];
      for (const pid of pids) void adoptServerProcess(pid, kill).stop();
    }
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Somebody else's, or being removed by another process.
  }
}
