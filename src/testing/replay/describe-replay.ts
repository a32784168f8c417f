import { basename } from 'node:path';
import type { ReplayedHistory } from '../../replay/replay-histories';
import { testRunner } from '../jest-globals';
import { HistoriesBrokenError, type ReplayOptions, replayCore, replayHistories } from './replay-histories';

/** As `ReplayOptions`, of files alone: a test's name has to be known before any test runs. */
export interface DescribeReplayOptions extends Omit<ReplayOptions, 'histories'> {
  /** Folders or files of recorded histories. */
  readonly histories: string | readonly string[];
}

/** Workflows are bundled once, by the first test, where they are not the package's own. */
const TIMEOUT_MS = 60_000;

/**
 * Registers a jest test for each recorded history: it fails, and says why, where the history does not replay on these
 * workflows. Throws HistoryUnreadableError where a folder is empty, and TypeError outside of a test runner.
 */
export function describeReplay(name: string, options: DescribeReplayOptions): void {
  const { describe, test } = testRunner('describeReplay', 'expectReplays');
  const files = replayCore().files.historyFiles([options.histories].flat());
  let replayed: Promise<readonly ReplayedHistory[]> | null = null;
  describe(name, () => {
    files.forEach((file, index) => {
      test(
        `${basename(file)} replays`,
        async () => {
          replayed ??= replayHistories({ ...options, histories: files });
          const result = (await replayed)[index];
          if (result !== undefined && result.why !== null) throw new HistoriesBrokenError([result]);
        },
        TIMEOUT_MS,
      );
    });
  });
}
