import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { DevServerError } from './dev-server-error';
import { closedFolder, type ServerUser } from './postgres-user';
import { processIdentity } from './process-identity';

/**
 * Where Postgres finds shelter when root starts it from a folder that the user `postgres` may not enter: root's home,
 * a `mktemp -d`. Opening such a folder would be more than anybody asked for; /tmp would lose the data at a restart.
 */
const shelter = '/var/lib/sendonce';
/** Leads from a data folder to where its cluster is. */
export const shelterLink = 'elsewhere';
const originName = 'origin';

/**
 * The folder that holds the cluster of `dataDir`: `dataDir` itself, or one in the shelter that a link in `dataDir` leads
 * to. Whoever deletes `dataDir` has thereby deleted the data: the link is gone, and the next start removes the rest.
 */
export function clusterHome(dataDir: string, user: ServerUser | null, onProgress: (line: string) => void): string {
  if (user === null) return dataDir;
  const link = join(dataDir, shelterLink);
  const linked = linkTarget(link);
  if (linked !== null && existsSync(linked)) return linked;
  const closed = closedFolder(dataDir, user);
  if (closed === null) return dataDir;
  if (existsSync(join(dataDir, 'data'))) {
    throw new DevServerError(
      'SENDONCE_FOLDER_UNUSABLE',
      `Postgres runs as the user "postgres", who may not enter ${closed} any more, and its data are there: chmod o+x ${closed}, or delete ${dataDir} to begin anew.`,
    );
  }
  makeShelter(closed);
  sweep();
  const home = join(shelter, randomUUID());
  rmSync(link, { force: true });
  // The link first: a sweep by another start takes folders that no link leads to.
  symlinkSync(home, link);
  mkdirSync(home);
  chmodSync(home, 0o755);
  writeFileSync(join(home, originName), resolve(dataDir));
  onProgress(`Postgres runs as the user "postgres", who may not enter ${closed}: its data are in ${home}`);
  return home;
}

/** The shelter itself, for what all clusters share. Throws where it cannot be made. */
export function makeShelter(closed: string): string {
  try {
    mkdirSync(shelter, { recursive: true });
    chmodSync(shelter, 0o755);
    return shelter;
  } catch (cause) {
    throw new DevServerError(
      'SENDONCE_FOLDER_UNUSABLE',
      `Postgres runs as the user "postgres", who may not enter ${closed}, and ${shelter} cannot be written: move this project to a folder that everybody may enter, or chmod o+x ${closed}.`,
      { cause },
    );
  }
}

function sweep(): void {
  for (const name of readdirSync(shelter)) {
    const home = join(shelter, name);
    const origin = join(home, originName);
    if (!existsSync(origin)) continue;
    const abandoned = linkTarget(join(readFileSync(origin, 'utf8'), shelterLink)) !== home;
    if (abandoned && !isServed(home)) rmSync(home, { recursive: true, force: true });
  }
}

function isServed(home: string): boolean {
  try {
    const pid = Number.parseInt(readFileSync(join(home, 'data', 'postmaster.pid'), 'utf8'), 10);
    return processIdentity(pid) !== null;
  } catch {
    return false;
  }
}

function linkTarget(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}
