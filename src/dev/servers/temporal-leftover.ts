import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The Temporal servers that run on a database file, found by their command lines. A file with the process's number would
 * be less work, but there is a moment between starting a server and writing its number down, and two servers on one file
 * would ruin it.
 */
export function serversOn(databaseFile: string): number[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && databaseOf(argumentsOf(pid)) === databaseFile);
  }
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' });
  return (stdout ?? '')
    .split('\n')
    .filter((line) => line.includes(`--db-filename ${databaseFile} `))
    .map((line) => Number.parseInt(line, 10));
}

function databaseOf(args: string[]): string | undefined {
  const flag = args.indexOf('--db-filename');
  return flag === -1 ? undefined : args[flag + 1];
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
