import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';

/** The lowest Node the packages we stand on declare. The devDependency `node` brings one where the system's is older. */
const needed = [22, 12];

/** The Node that runs the project. */
export function projectNode(root) {
  const own = ownNode(root);
  if (existsSync(own)) return own;
  if (systemNodeSuffices()) return process.execPath;
  throw new BootstrapError(missing);
}

/** Why there is none, or null. */
export function projectNodeProblem(root) {
  return existsSync(ownNode(root)) || systemNodeSuffices() ? null : missing;
}

const missing =
  'node_modules/.bin/node is missing (the install script of the package "node" did not run; ' +
  'npm ci --ignore-scripts=false runs it, or use Node.js 22)';

function ownNode(root) {
  if (process.platform === 'win32') return join(root, 'node_modules', 'node', 'bin', 'node.exe');
  return join(root, 'node_modules', '.bin', 'node');
}

function systemNodeSuffices() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}
