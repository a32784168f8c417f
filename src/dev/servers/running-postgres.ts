import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresUrl } from './postgres-login';
import { shelterLink } from './postgres-shelter';
import { postmasterOf } from './postmaster';

/** The address of the Postgres that runs on the data folder, with its password; null where none does. */
export function runningPostgresUrl(dataDir: string, database: string): string | null {
  const sheltered = join(dataDir, shelterLink);
  const home = existsSync(sheltered) ? sheltered : dataDir;
  const data = join(home, 'data');
  const postmaster = postmasterOf(data);
  if (postmaster === null) return null;
  const password = readFileSync(join(home, 'password'), 'utf8').trim();
  return postgresUrl({ data, password }, postmaster.port, database);
}
