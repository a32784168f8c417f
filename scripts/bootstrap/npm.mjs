import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';

/**
 * Settings of an outer npm that its scripts inherit through the environment and that are not meant for ours:
 * `npm start --silent` would hide the progress, `--json` and `--dry-run` would change what `npm ci` does. What
 * concerns the way to the registry stays.
 */
const notInherited = new Set(
  [
    'also dev dry_run global if_present include include_workspace_root json local_prefix location loglevel omit only',
    'optional package_lock package_lock_only parseable prefix production progress workspace workspaces',
  ].flatMap((names) => names.split(' ').map((name) => `npm_config_${name}`)),
);

/** How to run npm: its command, first arguments and environment. */
export function findNpm(root) {
  // Under `npm start` our own node_modules/.bin comes first in PATH, and with it the Node that npm ci is about to delete.
  const own = join(root, 'node_modules', '.bin');
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '' && folder !== own);
  const env = { ...process.env, PATH: folders.join(delimiter) };
  for (const name of Object.keys(env)) if (notInherited.has(name.toLowerCase().replaceAll('-', '_'))) delete env[name];

  const command = folders.map((folder) => join(folder, 'npm')).find(isExecutable);
  if (command !== undefined && process.platform !== 'win32') return { command, args: [], env };
  const { npm_node_execpath: node, npm_execpath: script } = process.env;
  if (node !== undefined && script?.endsWith('npm-cli.js')) return { command: node, args: [script], env };
  throw new BootstrapError('npm was not found: install Node.js 22, npm comes with it, and see that it is in PATH.');
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
