import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DevServerError } from './dev-server-error';
import type { PostgresBinaries } from './postgres-binaries';
import type { ServerUser } from './postgres-user';

export const superuser = 'postgres';

/** The files of a cluster, and what it takes to log in. */
export interface PostgresCluster {
  readonly data: string;
  readonly password: string;
}

/** With patience: the program that was creating it may outlive the process that was killed, and still write. */
const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
const unfinished = 'initialising-';

/**
 * The cluster in `home`, created if there is none. It is created under another name and renamed when it is whole, so
 * that an initialisation that was killed leaves nothing but rubbish, which the next one removes.
 */
export async function ensureCluster(
  home: string,
  binaries: PostgresBinaries,
  user: ServerUser | null,
  onProgress: (line: string) => void,
): Promise<PostgresCluster> {
  const data = join(home, 'data');
  for (const name of readdirSync(home)) {
    if (name.startsWith(unfinished)) rmSync(join(home, name), removal);
  }
  const passwordFile = join(home, 'password');
  if (existsSync(join(data, 'PG_VERSION'))) return { data, password: readFileSync(passwordFile, 'utf8').trim() };

  onProgress('creating the Postgres database');
  // Not a fixed one: on a machine with several users, a superuser everybody knows is a way into this account.
  const password = randomBytes(18).toString('base64url');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  rmSync(data, { recursive: true, force: true });
  const growing = join(home, `${unfinished}${randomUUID()}`);
  await initialise(growing, password, binaries, user);
  renameSync(growing, data);
  return { data, password };
}

async function initialise(
  folder: string,
  password: string,
  binaries: PostgresBinaries,
  user: ServerUser | null,
): Promise<void> {
  const passwordFile = `${folder}.password`;
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user !== null) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const child = spawn(
    binaries.initdb,
    [
      `--pgdata=${folder}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Sorting by bytes: the same on every system, and after every upgrade of its libraries.
      '--locale=C',
      '--no-instructions',
    ],
    // Our own working folder may be closed to that user.
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], ...(user ? { uid: user.uid, gid: user.gid } : {}) },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (code === 0) return;
    throw new DevServerError(
      'SENDONCE_SERVER_DIED',
      `Postgres could not create its database (initdb ended with ${signal ?? `exit code ${code}`}):\n${output.trimEnd()}`,
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}
