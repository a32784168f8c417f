import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isPortFree } from '../../src/dev/servers/ports';

const ROOT = join(__dirname, '../..');
const OWN_NODE = join(ROOT, 'node_modules', '.bin', 'node');
/** The Node that the project runs with, whichever runs the tests. */
export const NODE = existsSync(OWN_NODE) ? OWN_NODE : process.execPath;
export const DEMO = ['--enable-source-maps', join(ROOT, 'dist', 'dev', 'main.js')];
const CLOCK = ['--enable-source-maps', join(ROOT, 'dist', 'dev', 'clock', 'main.js')];

/** Builds dist where it is not up to date; `npm test` has done that already. */
export async function buildDemo(): Promise<void> {
  await promisify(execFile)(NODE, [join(ROOT, 'scripts', 'build.mjs')], { cwd: ROOT });
}

export interface DemoEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DemoOptions {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A folder for the demo's data that Postgres may enter, too. */
export function demoFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'sendonce-e2e-'));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export const PORT_SETTINGS = [
  'SENDONCE_POSTGRES_PORT',
  'SENDONCE_TEMPORAL_PORT',
  'SENDONCE_TEMPORAL_UI_PORT',
  'SENDONCE_STRIPE_PORT',
] as const;

/** Settings for free ports: below those that outgoing connections get, one of which may be taken before it is used. */
export async function freePortSettings(): Promise<Record<(typeof PORT_SETTINGS)[number], string>> {
  const [postgres, temporal, temporalUi, stripe] = await Promise.all(PORT_SETTINGS.map((_, index) => freePort(index)));
  return {
    SENDONCE_POSTGRES_PORT: String(postgres),
    SENDONCE_TEMPORAL_PORT: String(temporal),
    SENDONCE_TEMPORAL_UI_PORT: String(temporalUi),
    SENDONCE_STRIPE_PORT: String(stripe),
  };
}

async function freePort(lane: number): Promise<number> {
  for (;;) {
    const port = 20_000 + lane * 3_000 + Math.floor(Math.random() * 3_000);
    if (await isPortFree(port)) return port;
  }
}

/** Starts the command as `npm start` does, with no setting of the person who runs the tests. */
export function spawnDemo(args: readonly string[], options: DemoOptions & SpawnOptions): ChildProcess {
  return spawn(NODE, [...DEMO, ...args], { cwd: ROOT, ...options, env: demoEnv(options) });
}

export async function runDemo(args: readonly string[], options: DemoOptions): Promise<DemoEnd> {
  return endOf(spawnDemo(args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** As `npm run clock` does. */
export async function runClock(args: readonly string[], options: DemoOptions): Promise<DemoEnd> {
  return endOf(
    spawn(NODE, [...CLOCK, ...args], { cwd: ROOT, env: demoEnv(options), stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

/** Runs it in a terminal of so many columns; what a person would see there, escape codes included. */
export async function runDemoInTerminal(
  args: readonly string[],
  { columns, ...options }: DemoOptions & { columns: number },
): Promise<string> {
  const command = [NODE, ...DEMO, ...args].map((word) => `'${word}'`).join(' ');
  // `script` of util-linux gives its command a terminal.
  const child = spawn('/usr/bin/script', ['-qec', `stty cols ${columns} rows 40; ${command}`, '/dev/null'], {
    cwd: ROOT,
    env: demoEnv(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout, stderr } = await endOf(child);
  if (code !== 0) throw new Error(`It ended with ${code}:\n${stdout}${stderr}`);
  return stdout.replaceAll('\r', '');
}

async function endOf(child: ChildProcess): Promise<DemoEnd> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (output.stderr += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** Of the environment only what every program needs: neither settings nor what changes colours (`CI` and `NO_COLOR` do). */
function demoEnv({ dataDir, env = {} }: DemoOptions): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => /^(PATH|HOME|USER|TMPDIR|LANG|LC_\w+)$/.test(name));
  return { ...Object.fromEntries(inherited), TERM: 'xterm-256color', SENDONCE_DATA_DIR: dataDir, ...env };
}

/** What looks into /proc, or has a terminal made by `script` of util-linux. */
export const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

/** The processes of a demo on this folder, whatever started them: they inherit its environment. Elsewhere none are seen. */
export function processesOn(dataDir: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && environmentOf(pid).includes(`SENDONCE_DATA_DIR=${dataDir}`));
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
