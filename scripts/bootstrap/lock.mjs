import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './say.mjs';

const pollMs = 200;
/** The holder touches its lock this often, so that a process number given out anew does not keep a dead one's lock. */
const touchMs = 5_000;
const staleAfterMs = 60_000;
/** How long breaking a stale lock may take; it takes microseconds. */
const breakingMs = 10_000;

/** Runs `work` while holding the lock file; waits for whoever holds it now, and takes over from the dead. */
export async function withLock(file, waitingFor, work) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = `${process.pid} ${randomUUID()}\n`;
  for (let waited = 0; !take(file, mine); waited += pollMs) {
    if (breakStale(file)) continue;
    if (waited === 0) say(`waiting for the other ${waitingFor} (process ${holder(file)?.pid ?? 'unknown'}) …`);
    await sleep(pollMs);
  }
  const touching = setInterval(() => touch(file), touchMs);
  // Also when a signal ends us in the middle: `exit` handlers run then, `finally` blocks do not.
  const release = () => {
    if (holder(file)?.text === mine) rmSync(file, { force: true });
  };
  process.on('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    process.off('exit', release);
    release();
  }
}

function take(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the lock of a dead holder. Only one process may do so at a time (the folder), and it looks again once it may:
 * two that had both seen the same stale lock would otherwise remove each other's fresh ones.
 */
function breakStale(file) {
  if (!isStale(file)) return false;
  const breaking = `${file}.breaking`;
  try {
    mkdirSync(breaking);
  } catch {
    if (ageMs(breaking) > breakingMs) rmdirSync(breaking);
    return false;
  }
  try {
    if (isStale(file)) rmSync(file, { force: true });
  } finally {
    rmdirSync(breaking);
  }
  return true;
}

function isStale(file) {
  const held = holder(file);
  if (held === null) return false;
  // An empty file is one being written this very moment, or by a process that was killed doing so.
  if (held.pid === null) return ageMs(file) > breakingMs;
  return !isAlive(held.pid) || ageMs(file) > staleAfterMs;
}

function holder(file) {
  try {
    const text = readFileSync(file, 'utf8');
    return { text, pid: Number.parseInt(text, 10) || null };
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The folder was removed under our feet; the work itself will tell.
  }
}
