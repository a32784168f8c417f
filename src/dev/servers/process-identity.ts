import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Tells a process from a later one that was given the same number: when it began. Null if there is none, or only a
 * zombie, whose number answers to signals until it is collected. In a container that is started again the same small
 * numbers are given out in the same order, so a bare number proves nothing.
 */
export function processIdentity(pid: number): string | null {
  if (process.platform === 'linux') {
    const stat = read(`/proc/${pid}/stat`);
    if (stat === null) return null;
    // The name is in brackets and may contain anything; state is the first field after it, the start time the twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${fields[19]}@${read('/proc/sys/kernel/random/boot_id')?.trim()}`;
  }
  const [state, ...begun] = ps(pid, 'stat=,lstart=').split(/\s+/);
  return state === undefined || state === '' || state.startsWith('Z') ? null : begun.join(' ');
}

/** The name of the program a process runs, without its folder; empty if there is no such process. */
export function programName(pid: number): string {
  const name = process.platform === 'linux' ? (read(`/proc/${pid}/comm`) ?? '') : ps(pid, 'comm=');
  return name.trim().split('/').at(-1) ?? '';
}

/** The folder a process works in, where the system tells (Linux). */
export function workingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function ps(pid: number, format: string): string {
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', format], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });
  return (stdout ?? '').trim();
}
