import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What jest tells its global setup, as far as it is used here. */
export interface JestRun {
  readonly rootDir: string;
  readonly testPathPatterns: { toExecutor(options: { rootDir: string }): { isMatch(path: string): boolean } };
}

/** What has to be running before the first test. */
export interface TestNeeds {
  readonly postgres: boolean;
  readonly temporal: boolean;
  readonly timeSkipping: boolean;
}

/**
 * What the selected test files need, by the first line of each:
 *
 * ```
 * // Needs nothing…                                  no server
 * // Needs Postgres and Temporal.                    those that are named: Postgres, Temporal, time skipping
 * ```
 *
 * A file that does not say it needs everything. Only the path patterns of the command line are looked at: with `-t`,
 * `--onlyChanged` and the like too much may be started, never too little.
 */
export function testNeeds(run: JestRun): TestNeeds {
  const selected = run.testPathPatterns.toExecutor({ rootDir: run.rootDir });
  const needs = readdirSync(join(run.rootDir, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => join(run.rootDir, 'test', path))
    .filter((path) => path.endsWith('.test.ts') && selected.isMatch(path))
    .map((path) => needsOf(readFileSync(path, 'utf8')));
  return {
    postgres: needs.some((each) => each.postgres),
    temporal: needs.some((each) => each.temporal),
    timeSkipping: needs.some((each) => each.timeSkipping),
  };
}

function needsOf(source: string): TestNeeds {
  const line = source.slice(0, source.indexOf('\n'));
  const named = /^\/\/ Needs (.*)/.exec(line)?.[1];
  if (named === undefined) return { postgres: true, temporal: true, timeSkipping: true };
  if (named.startsWith('nothing')) return { postgres: false, temporal: false, timeSkipping: false };
  return {
    postgres: /\bPostgres\b/.test(named),
    temporal: /\bTemporal\b(?!'s time)/.test(named),
    timeSkipping: /\btime[- ]skipping\b/i.test(named),
  };
}
