import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { NODE } from './demo-command';

const ROOT = join(__dirname, '../..');
const CONSUMER = join(ROOT, 'test', 'package', 'consumer');
// The bootstrap's own way to npm: without what an outer `npm test` sets for its scripts, and not with our Node first.
const { findNpm }: { findNpm(root: string): Npm } = require('../../scripts/bootstrap/npm.mjs');

interface Npm {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An empty project of somebody else, and the package as `npm publish` would send it. */
export interface PackedProject {
  readonly path: string;
  /** The tarball's files, as paths in the package. */
  readonly files: readonly string[];
  /** Installs the package, or others by name. */
  install(...packages: readonly string[]): Promise<void>;
  /** Runs Node on a file of the project. Only these settings, and what every program needs. */
  node(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** Runs the package's command as npm has linked it. */
  sendonce(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  remove(): void;
}

/** Packs the package, which builds it where it is not up to date, and makes a project beside it. Nothing is installed yet. */
export async function packProject(): Promise<PackedProject> {
  const folder = mkdtempSync(join(tmpdir(), 'sendonce-package-'));
  const path = join(folder, 'project');
  mkdirSync(path);
  const npm = findNpm(ROOT);
  const runNpm = (cwd: string, args: readonly string[]) =>
    promisify(execFile)(npm.command, [...npm.args, ...args], { cwd, env: npm.env });
  const run = (file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    promisify(execFile)(file, [...args], { cwd: path, env: { ...plainEnvironment(), ...env } }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: Ran) => ({ code, stdout, stderr }),
    );
  await runNpm(ROOT, ['pack', '--silent', '--pack-destination', folder]);
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const tarball = join(folder, name);
  const { stdout: list } = await promisify(execFile)('tar', ['-tzf', tarball]);
  writeFileSync(join(path, 'package.json'), '{ "name": "somebody-elses", "private": true }\n');
  cpSync(CONSUMER, path, { recursive: true });
  return {
    path,
    files: list
      .trim()
      .split('\n')
      .map((file) => file.replace(/^package\//, ''))
      .sort(),
    install: async (...packages) => {
      const wanted = packages.length === 0 ? [tarball] : packages;
      await runNpm(path, ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...wanted]);
    },
    node: (args, env) => run(NODE, args, env),
    sendonce: (args, env) => run(join(path, 'node_modules', '.bin', 'sendonce'), args, env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Our Node comes first: it is what the command's first line finds. */
function plainEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH: `${dirname(NODE)}${delimiter}${PATH}`, HOME };
}
