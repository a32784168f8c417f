import type { SavedHistory } from '../../replay/history-files';
import type { ReplayedHistory, ReplayOn } from '../../replay/replay-histories';
import type { ServerHistories } from '../../replay/server-histories';

/** What is replayed, and on which workflows: the package's unless `workflowsPath` or `workflowBundle` says others. */
export interface ReplayOptions extends ReplayOn {
  /** Folders or files of recorded histories, or workflows of a server. */
  readonly histories: string | readonly string[] | ServerHistories;
}

/** Where recorded histories are kept, and which are recorded. */
export interface RecordOptions {
  readonly folder: string;
  readonly histories: ServerHistories;
}

/** Histories do not replay on these workflows: workflows that run would stall in a release that has them. Nothing is lost. */
export class HistoriesBrokenError extends Error {
  readonly code = 'SENDONCE_HISTORIES_BROKEN';
  override readonly name = 'HistoriesBrokenError';
  constructor(readonly broken: readonly ReplayedHistory[]) {
    super(
      broken.map(({ name, workflowType, result, why }) => `${name} (${workflowType}) ${result}. ${why}`).join('\n'),
    );
  }
}

/**
 * Replays histories, and gives what became of each, in their order; that some break is no error here. Throws
 * HistoryUnreadableError or HistoriesMissingError, also where a folder or a server has none: a mistyped name must not
 * pass.
 */
export async function replayHistories({ histories, ...on }: ReplayOptions): Promise<readonly ReplayedHistory[]> {
  const { files, server, replaying } = replayCore();
  const found = isOnServer(histories)
    ? await server.fetchHistories(histories)
    : files.historyFiles([histories].flat()).map(files.readHistoryFile);
  return replaying.replayHistories(found, on);
}

/** As `replayHistories`, for a test of any runner: throws HistoriesBrokenError where one does not replay. */
export async function expectReplays(options: ReplayOptions): Promise<void> {
  const broken = (await replayHistories(options)).filter(({ why }) => why !== null);
  if (broken.length > 0) throw new HistoriesBrokenError(broken);
}

/**
 * Writes workflows of a server to files of a folder, to be replayed by releases to come. A file that is there already is
 * never written over. Identities and stack traces are left out; payloads, and what tools threw, stay as they are.
 */
export async function recordHistories({ folder, histories }: RecordOptions): Promise<readonly SavedHistory[]> {
  const { files, server } = replayCore();
  return (await server.fetchHistories(histories)).map((named) => files.saveHistory(folder, named));
}

function isOnServer(histories: ReplayOptions['histories']): histories is ServerHistories {
  return typeof histories === 'object' && !Array.isArray(histories);
}

/** Loaded only where it is used, since Temporal's worker takes its time. Not by `import()`, which jest does not know. */
export function replayCore(): {
  readonly files: typeof import('../../replay/history-files');
  readonly server: typeof import('../../replay/server-histories');
  readonly replaying: typeof import('../../replay/replay-histories');
} {
  return {
    files: require('../../replay/history-files'),
    server: require('../../replay/server-histories'),
    replaying: require('../../replay/replay-histories'),
  };
}
