import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** The bundle, and the digest of what it was made from. */
export const bundleFiles = ['workflow-bundle.js', 'workflow-bundle.sha256'];

/**
 * Writes dist/workflow-bundle.js, unless the workflows and what they import are as they were: a worker that is given
 * the bundle starts in half a second, one that has to make it in one to three. Returns whether there is one.
 */
export async function bundleWorkflows(root) {
  const dist = join(root, 'dist');
  const [bundle, digest] = bundleFiles.map((file) => join(dist, file));
  const entry = join(dist, 'workflows', 'index.js');
  if (!existsSync(entry)) {
    rmSync(bundle, { force: true });
    rmSync(digest, { force: true });
    return false;
  }
  const inputs = digestOf(root, entry);
  if (existsSync(bundle) && existsSync(digest) && readFileSync(digest, 'utf8') === inputs) return true;
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({ workflowsPath: entry, logger: new DefaultLogger('WARN') });
  rmSync(digest, { force: true });
  writeFileSync(`${bundle}.new`, code);
  renameSync(`${bundle}.new`, bundle);
  writeFileSync(digest, inputs);
  return true;
}

/** Of the modules reached by relative imports, and of the lock file for all the others. */
function digestOf(root, entry) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    hash.update(`${relative(root, file)}\0${code.length}\0${code}`);
    for (const [, path] of code.matchAll(/\brequire\("(\.[^"]*)"\)/g)) {
      const target = resolve(file, '..', path);
      const found = [target, `${target}.js`, join(target, 'index.js')].find(
        (each) => /\.js$/.test(each) && existsSync(each),
      );
      if (found !== undefined) visit(found);
    }
  };
  visit(entry);
  return hash.digest('hex');
}
