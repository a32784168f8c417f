// Builds src into dist: `node scripts/build.mjs [--force]`. Compiles, copies the SQL, bundles the workflows. Does nothing
// when dist is up to date. Needs the packages and Node 22 (`npm run build` brings it).

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BootstrapError } from './bootstrap/bootstrap-error.mjs';
import { withLock } from './bootstrap/lock.mjs';
import { runStep } from './bootstrap/run.mjs';
import { say } from './bootstrap/say.mjs';
import { buildProblem, fingerprint, writeManifest } from './build/freshness.mjs';
import { copyAssets, removeStale } from './build/outputs.mjs';
import { bundleWorkflows } from './build/workflow-bundle.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const force = process.argv.includes('--force');

try {
  // Two builds take turns, and the second one finds nothing left to do.
  await withLock(join(root, '.cache', 'build.lock'), 'build', build);
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  say(error.message);
  process.exitCode = error.exitCode;
}

async function build() {
  const started = Date.now();
  if (!force && buildProblem(root) === null) return say('dist is up to date');
  // Taken before the compiler reads: what is changed meanwhile makes the result stale, not wrongly fresh.
  const sources = fingerprint(root);
  removeStale(root, { everything: force });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const code = await runStep(
    process.execPath,
    [compiler, '-p', join(root, 'tsconfig.build.json'), '--pretty', 'false'],
    {
      cwd: root,
    },
  );
  if (code !== 0) {
    // The compiler has written what it could and remembers the errors: the next build need not begin from nothing.
    writeManifest(root, null);
    throw new BootstrapError('The build failed: correct the errors above, then start again.');
  }
  copyAssets(root);
  const bundled = await bundleWorkflows(root);
  writeManifest(root, sources);
  say(`built dist in ${((Date.now() - started) / 1_000).toFixed(1)} s${bundled ? ', workflow bundle included' : ''}`);
}
