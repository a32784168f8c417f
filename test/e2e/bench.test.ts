// Needs nothing: the benchmark starts a Postgres and a Temporal of its own.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchResult } from '../../bench/result';
import { NODE } from '../support/demo-command';

const ROOT = join(__dirname, '../..');
/** It takes half a minute; machines that test share their cores. */
const RUN_TIMEOUT_MS = 300_000;

function runBench(...args: string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return promisify(execFile)(NODE, [join(ROOT, 'bench', 'run.cjs'), ...args], { cwd: ROOT });
}

function dataFolders(): string[] {
  const parent = join(ROOT, '.sendonce');
  return existsSync(parent) ? readdirSync(parent).filter((name) => name.startsWith('bench-')) : [];
}

describe('npm run bench -- --quick --json', () => {
  let result: BenchResult;
  let output: { readonly stdout: string; readonly stderr: string };

  let before: string[];

  beforeAll(async () => {
    before = dataFolders();
    output = await runBench('--quick', '--json');
    result = JSON.parse(output.stdout);
  }, RUN_TIMEOUT_MS);

  test('stdout is one line, the result; the table goes to stderr', () => {
    expect(output.stdout.trimEnd().split('\n')).toHaveLength(1);
    for (const { title } of result.measures) expect(output.stderr).toContain(`\n${title}`);
  });

  test('every measure is there, at 1 and at 16 at a time, with its aim', () => {
    expect(result.measures.map(({ id, atATime, aim }) => [id, atATime, aim])).toEqual(
      [
        ['ledger-commits', { of: 'throughput', atLeast: 0.9 }],
        ['new-operation', { of: 'throughput', atLeast: 0.9 }],
        ['settled-call', { of: 'throughput', atLeast: 0.9 }],
        ['guarded-turn', { of: 'time', atMost: 1.05 }],
        ['three-in-a-row', { of: 'time', atMost: 0.8 }],
        ['three-at-once', { of: 'time', atMost: 0.8 }],
      ].flatMap(([id, aim]) => [1, 16].map((atATime) => [id, atATime, aim])),
    );
  });

  test('both sides make the same number of effects', () => {
    for (const { ours, against } of result.measures) {
      expect(ours.effects).toBeGreaterThan(0);
      expect(against.effects).toBe(ours.effects);
    }
  });

  test('both turns have the same activities; histories and statements are counted', () => {
    expect(result.turns.map(({ id }) => id)).toEqual(['guarded-turn', 'three-in-a-row', 'three-at-once']);
    for (const { ours, against } of result.turns) {
      expect(against.tasks.activities.count).toBe(ours.tasks.activities.count);
      for (const { history, statements } of [ours, against]) {
        expect(history.events).toBeGreaterThan(0);
        expect(history.bytes).toBeGreaterThan(0);
        expect(statements.writes).toBeGreaterThan(0);
      }
    }
  });

  test('one guarded call is planned by one read, then asks the ledger for one read and two commits', () => {
    const [turn] = result.turns;
    expect(turn?.ours.statements.byName).toMatchObject({
      'sendonce-load': 2,
      'sendonce-insert': 1,
      // The one that settles says who is to be told.
      'sendonce-append-tell': 1,
    });
  });

  test('nothing is left of its data', () => {
    expect(dataFolders().filter((name) => !before.includes(name))).toEqual([]);
  });
});

test('an option that is none → exit code 2, and it is named', async () => {
  await expect(runBench('--fast')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('--fast') });
});
