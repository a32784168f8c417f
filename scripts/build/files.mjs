import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The files below a folder, as sorted paths relative to it with forward slashes. */
export function filesUnder(folder, prefix = '') {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${prefix}${entry.name}`;
      return entry.isDirectory() ? filesUnder(join(folder, entry.name), `${path}/`) : [path];
    })
    .sort();
}
