import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NODE } from './demo-command';

const MAIN = join(__dirname, '../../dist/cli/main.js');

export interface CliEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type CliSettings = Readonly<Record<string, string>>;

/** `sendonce` in a process of its own. Of the environment only what every program needs, and these settings. `stdout`: an open file to write to. */
export function spawnCli(
  args: readonly string[],
  settings: CliSettings = {},
  stdout: 'pipe' | number = 'pipe',
): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(NODE, [MAIN, ...args], { env: { PATH, HOME, ...settings }, stdio: ['ignore', stdout, 'pipe'] });
}

export async function runCli(args: readonly string[], settings?: CliSettings): Promise<CliEnd> {
  return endOf(spawnCli(args, settings));
}

/** Its exit code (null for a signal) and all it wrote. */
export async function endOf(child: ChildProcess): Promise<CliEnd> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (output.stderr += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** Lines that would not fit a terminal of 80 columns. */
export function longLines(text: string): string[] {
  return text.split('\n').filter((line) => [...line].length > 80);
}

/** The test run's Temporal, as a setting. */
export function temporalSetting(): { readonly TEMPORAL_ADDRESS: string } {
  return { TEMPORAL_ADDRESS: process.env['SENDONCE_TEST_TEMPORAL_ADDRESS'] ?? '' };
}
