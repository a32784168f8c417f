import { copyFileSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesUnder } from './files.mjs';
import { manifestFile, readManifest } from './freshness.mjs';
import { bundleFiles } from './workflow-bundle.mjs';

const compiled = /(?<!\.d)\.tsx?$/;
const assets = /\.sql$/;
const compilerState = '.tsbuildinfo';

/**
 * Removes what no source stands for any more: a module that was deleted would otherwise still be found by `require`,
 * and be published. After a build that did not end, dist is emptied: who knows what the compiler remembers having written.
 */
export function removeStale(root, { everything }) {
  const dist = join(root, 'dist');
  if (everything || readManifest(root) === null) {
    rmSync(dist, { recursive: true, force: true });
    return;
  }
  rmSync(manifestFile(root));
  const expected = filesUnder(join(root, 'src')).flatMap(outputsOf);
  const keep = new Set([...expected, ...bundleFiles, compilerState]);
  for (const path of filesUnder(dist)) if (!keep.has(path)) rmSync(join(dist, path));
  removeEmptyFolders(dist);
  // The compiler writes what it has not written before; it does not look whether that is still there.
  if (expected.some((path) => !existsSync(join(dist, path)))) rmSync(join(dist, compilerState), { force: true });
}

export function copyAssets(root) {
  for (const path of filesUnder(join(root, 'src')).filter((each) => assets.test(each))) {
    const target = join(root, 'dist', path);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, 'src', path), target);
  }
}

function outputsOf(source) {
  if (assets.test(source)) return [source];
  if (!compiled.test(source)) return [];
  const base = source.replace(compiled, '');
  return [`${base}.js`, `${base}.js.map`, `${base}.d.ts`];
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    removeEmptyFolders(path);
    if (readdirSync(path).length === 0) rmdirSync(path);
  }
}
