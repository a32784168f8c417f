// Writes docs/api from the docstrings of the package's entries: `node scripts/api-docs.mjs [--check]`. With `--check` it
// writes nothing and fails where the pages are stale. Both fail where a public export has no docstring.
// Reads the declarations in dist, which are what users get, so it builds first.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEntries } from './api-docs/entries.mjs';
import { indexPage, pageOf } from './api-docs/page.mjs';
import { say } from './bootstrap/say.mjs';
import { filesUnder } from './build/files.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'docs', 'api');

await import('./build.mjs');
if (!process.exitCode) run(process.argv.includes('--check'));

function run(check) {
  const entries = readEntries(root);
  const undocumented = entries.flatMap(({ name, members }) =>
    members.filter(({ doc }) => doc === '').map((member) => `${name}: ${member.name} (${member.source})`),
  );
  const pages = new Map([
    ['README.md', indexPage(entries)],
    ...entries.map((entry) => [entry.page, pageOf(entry, entries)]),
  ]);
  const surplus = filesUnder(folder).filter((path) => !pages.has(path));
  const stale = [...pages].filter(([path, text]) => contentOf(join(folder, path)) !== text).map(([path]) => path);
  if (undocumented.length > 0) fail(`these exports have no docstring:\n  ${undocumented.join('\n  ')}`);
  if (check) {
    const wrong = [...stale, ...surplus].map((path) => `docs/api/${path}`);
    if (wrong.length > 0) fail(`${wrong.join(', ')} are not what the docstrings say: run npm run docs:api.`);
    return;
  }
  mkdirSync(folder, { recursive: true });
  for (const path of stale) writeFileSync(join(folder, path), pages.get(path));
  for (const path of surplus) rmSync(join(folder, path));
  say(`docs/api: ${stale.length + surplus.length} of ${pages.size} pages changed`);
}

function contentOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function fail(problem) {
  say(`docs/api: ${problem}`);
  process.exitCode = 1;
}
