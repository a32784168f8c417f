import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './bootstrap-error.mjs';
import { findNpm } from './npm.mjs';
import { projectNodeProblem } from './project-node.mjs';
import { runStep } from './run.mjs';
import { say } from './say.mjs';

const minimumNpm = 9;
const reportEveryMs = 10_000;

/** Set for our own `npm ci`: its `prepare` script leaves the build to us. */
export const bootstrapVariable = 'SENDONCE_BOOTSTRAP';

/**
 * Why node_modules cannot be used, or null. npm writes node_modules/.package-lock.json at the end of an installation,
 * so it is not there after one that was interrupted. Comparing it with package-lock.json needs no stamp of ours, and so
 * accepts what a person installed by hand. The packages' folders are looked for as well: about 15 ms in all.
 */
export function installProblem(root) {
  if (!existsSync(join(root, 'node_modules'))) return 'node_modules is missing';
  const wanted = packages(join(root, 'package-lock.json'));
  if (wanted === null) throw new BootstrapError('package-lock.json is missing or damaged: is this clone complete?');
  const installed = packages(join(root, 'node_modules', '.package-lock.json'));
  if (installed === null) return 'node_modules is incomplete';
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const present = installed[path];
    if (present === undefined) {
      // Optional packages for other platforms are left out by npm.
      if (!entry.optional) return `${path} is missing`;
    } else if (present.version !== entry.version || present.integrity !== entry.integrity) {
      return `${path} is not the one in package-lock.json`;
    } else if (!existsSync(join(root, path, 'package.json'))) {
      return `${path} is incomplete`;
    }
  }
  const foreign = Object.entries(installed).find(([, entry]) => !suits(entry));
  if (foreign !== undefined) return `${foreign[0]} was installed on another platform`;
  return projectNodeProblem(root);
}

export async function install(root, reason) {
  const npm = findNpm(root);
  const version = npmVersion(npm);
  if (Number(version.split('.')[0]) < minimumNpm) {
    throw new BootstrapError(
      `npm ${minimumNpm} or later is needed, this is ${version}: run npm install -g npm@latest.`,
    );
  }
  say(`installing packages with npm ${version}, which takes about a minute: ${reason}`);
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1_000);
  const reporting = setInterval(() => say(`still installing, ${seconds()} s`), reportEveryMs);
  const env = { ...npm.env, [bootstrapVariable]: '1' };
  const code = await runStep(npm.command, [...npm.args, ...ciArguments], { cwd: root, env }).finally(() =>
    clearInterval(reporting),
  );
  if (code !== 0) {
    throw new BootstrapError(
      `npm ci failed with exit code ${code}, see above: check the network and npm's registry settings, then start again.`,
    );
  }
  const remaining = installProblem(root);
  if (remaining !== null) {
    throw new BootstrapError(`npm ci ended well, but ${remaining}: delete node_modules and start again.`);
  }
  say(`packages installed in ${seconds()} s`);
}

/** `--include`: NODE_ENV=production would leave out what the demo and the tests need. */
const ciArguments = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];

function packages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

function suits(entry) {
  return allows(entry.os, process.platform) && allows(entry.cpu, process.arch);
}

function allows(list, name) {
  return list === undefined || list.some((each) => each.startsWith('!')) || list.includes(name);
}

function npmVersion(npm) {
  try {
    return execFileSync(npm.command, [...npm.args, '--version'], { env: npm.env, encoding: 'utf8' }).trim();
  } catch {
    throw new BootstrapError('npm does not run: install Node.js 22, npm comes with it.');
  }
}
