import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesUnder } from './files.mjs';

/** What else a build depends on: its settings, its own code, and the versions of the packages that are bundled. */
const otherInputs = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'scripts/build.mjs'];

/** Why dist has to be built, or null. About 15 ms. */
export function buildProblem(root) {
  const manifest = readManifest(root);
  if (manifest === null) return existsSync(join(root, 'dist')) ? 'the last build did not end' : 'dist is missing';
  if (manifest.sources === null) return 'the last build failed';
  const gone = manifest.outputs.find((path) => !existsSync(join(root, 'dist', path)));
  if (gone !== undefined) return `dist/${gone} is missing`;
  if (manifest.sources !== fingerprint(root)) return 'the sources have changed';
  return null;
}

/**
 * Of names and contents, since times lie: git, rsync and unpacking all make sources older than what was built from
 * others, and a deleted source has no time at all.
 */
export function fingerprint(root) {
  const hash = createHash('sha256');
  const build = filesUnder(join(root, 'scripts', 'build')).map((path) => `scripts/build/${path}`);
  const sources = filesUnder(join(root, 'src')).map((path) => `src/${path}`);
  for (const path of [...otherInputs, ...build, ...sources]) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Written last, so that its presence means a whole build; with `sources` null, one that failed. */
export function writeManifest(root, sources) {
  const outputs = filesUnder(join(root, 'dist')).filter((path) => !path.startsWith('.'));
  const file = manifestFile(root);
  writeFileSync(`${file}.new`, JSON.stringify({ sources, outputs }, null, 1));
  renameSync(`${file}.new`, file);
}

export function readManifest(root) {
  try {
    return JSON.parse(readFileSync(manifestFile(root), 'utf8'));
  } catch {
    return null;
  }
}

export function manifestFile(root) {
  return join(root, 'dist', '.build.json');
}
