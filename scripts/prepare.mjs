// What npm runs after an installation in the repository, and before it packs: builds dist. Packages installed from a
// tarball come with theirs, and npm does not run this there.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bootstrapVariable } from './bootstrap/install.mjs';
import { say } from './bootstrap/say.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (process.env[bootstrapVariable] !== undefined) {
  // `npm start` and `npm test` build after the installation, and tell a build that failed from an installation that did.
} else if (existsSync(join(root, 'node_modules', 'typescript'))) {
  await import('./build.mjs');
} else {
  // `npm ci --omit=dev`, as images do that bring a dist built elsewhere.
  say('dist is not built, as the development packages are not installed');
}
