import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DevServerError } from './dev-server-error';
import { processIdentity } from './process-identity';

/** Longer than writing or breaking a claim can take, which is microseconds. */
const halfDoneMs = 2_000;
/** Whoever stops and starts again at once meets the one that is still stopping. */
const ownerPatienceMs = 4_000;
const pollMs = 20;

export interface ClaimRequest {
  readonly folder: string;
  /** Named in messages. */
  readonly server: string;
  readonly setting: string;
  readonly onProgress: (line: string) => void;
}

export interface FolderClaim {
  release(): void;
}

/**
 * Claims a server's data folder for this process, so that no two of ours start, adopt or stop one server. The claim of
 * a process that died counts for nothing: its server is then adopted or replaced. Throws `SENDONCE_FOLDER_IN_USE`.
 */
export async function claimFolder({ folder, server, setting, onProgress }: ClaimRequest): Promise<FolderClaim> {
  const file = join(folder, 'claim.json');
  const claim = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) });
  let giveUpAt: number | undefined;
  for (; !take(file, claim); await sleep(pollMs)) {
    const owner = readOwner(file);
    if (owner === 'dead') breakClaim(file);
    if (owner !== 'alive') continue;
    if (giveUpAt === undefined) {
      giveUpAt = Date.now() + ownerPatienceMs;
      onProgress(`waiting for process ${ownerPid(file)}, which still runs ${server} in ${folder}`);
    } else if (Date.now() > giveUpAt) {
      throw new DevServerError(
        'SENDONCE_FOLDER_IN_USE',
        `${server} in ${folder} is already run by process ${ownerPid(file)}: stop that one first, or set ${setting} to another folder.`,
      );
    }
  }
  return {
    release: () => {
      if (read(file) === claim) rmSync(file, { force: true });
    },
  };
}

function take(file: string, claim: string): boolean {
  try {
    writeFileSync(file, claim, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readOwner(file: string): 'alive' | 'dead' | 'gone' | 'unclear' {
  const text = read(file);
  if (text === null) return 'gone';
  const owner = parse(text);
  // Being written this moment, or its writer was killed doing so.
  if (owner === null) return ageMs(file) > halfDoneMs ? 'dead' : 'unclear';
  return processIdentity(owner.pid) === owner.identity ? 'alive' : 'dead';
}

/**
 * One process at a time may break a claim (the folder), and looks again once it may: two that had both seen the same
 * dead owner would otherwise remove each other's new claims.
 */
function breakClaim(file: string): void {
  const breaking = `${file}.breaking`;
  try {
    mkdirSync(breaking);
  } catch {
    if (ageMs(breaking) > halfDoneMs) rmSync(breaking, { recursive: true, force: true });
    return;
  }
  try {
    if (readOwner(file) === 'dead') rmSync(file, { force: true });
  } finally {
    rmdirSync(breaking);
  }
}

function ownerPid(file: string): number | string {
  return parse(read(file) ?? '')?.pid ?? 'unknown';
}

function parse(text: string): { pid: number; identity: string } | null {
  try {
    return JSON.parse(text) as { pid: number; identity: string };
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

function ageMs(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
