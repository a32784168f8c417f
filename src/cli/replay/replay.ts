import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { NamedHistory } from '../../replay/history';
import { historyFiles, readHistoryFile, saveHistory } from '../../replay/history-files';
import { type ReplayedHistory, replayHistories } from '../../replay/replay-histories';
import { fetchHistories } from '../../replay/server-histories';
import type { TemporalSettings } from '../../settings';
import { CommandError } from '../command-error';
import { print, textWidth } from '../print';
import { say } from '../say';
import { table } from '../table';
import { loadWorkerModule } from '../worker-module';
import { wrapText } from '../wrap-text';
import { replayAs } from './replay-as';

export interface ReplayOptions {
  readonly files: readonly string[];
  readonly workflowId?: readonly string[];
  /** True: as many as usual. */
  readonly recent?: number | true;
  readonly taskQueue?: string;
  readonly workflows?: string;
  readonly tools?: string;
  readonly save?: string;
}

/** `sendonce replay`: a table of what replays, and exit code 1 if something does not. Throws CommandError. */
export async function replay(options: ReplayOptions): Promise<void> {
  const { files, workflowId, recent, workflows, tools, save } = options;
  if (files.length === 0 && workflowId === undefined && recent === undefined) {
    throw new CommandError('Name what to replay: files, --workflow-id ID, or --recent. See --help.');
  }
  const worker = tools === undefined ? null : await loadWorkerModule(tools);
  const as = replayAs({ workflows, worker });
  const taskQueue = options.taskQueue ?? worker?.taskQueue;
  const histories = await findHistories({ ...options, taskQueue, temporal: worker?.settings?.temporal });
  if (save !== undefined) saveAll(save, histories);
  quieten();
  const results = await replayHistories(histories, as);
  print(table(['RESULT', 'EVENTS', 'WORKFLOW'], results.map(row), textWidth()));
  const broken = results.filter(({ why }) => why !== null);
  for (const { name, workflowType, why } of broken) {
    print(['', `${name} (${workflowType})`, ...wrapText(why ?? '', textWidth() - 2).map(indented)].join('\n'));
  }
  // A user's module that was loaded may hold connections open for as long as the process lives.
  await new Promise<void>((done) => process.stdout.write('', () => done()));
  process.exit(broken.length === 0 ? 0 : 1);
}

type Sources = Pick<ReplayOptions, 'files' | 'workflowId' | 'recent'> & {
  readonly taskQueue: string | undefined;
  readonly temporal: TemporalSettings | undefined;
};

/** Reads all of them before anything is replayed. Without a need for it, no server is asked. */
async function findHistories({
  files,
  workflowId,
  recent,
  taskQueue,
  temporal,
}: Sources): Promise<readonly NamedHistory[]> {
  const read = historyFiles(files).map(readHistoryFile);
  const known = { ...(temporal ? { temporal } : {}), ...(taskQueue === undefined ? {} : { taskQueue }) };
  const byId = workflowId === undefined ? [] : await fetchHistories({ ...known, workflowIds: workflowId });
  const latest = recent === undefined ? [] : await fetchHistories({ ...known, ...(recent === true ? {} : { recent }) });
  return [...read, ...byId, ...latest];
}

function saveAll(folder: string, histories: readonly NamedHistory[]): void {
  const saved = histories.map((named) => saveHistory(folder, named));
  const kept = saved.filter(({ isNew }) => !isNew);
  say(`saved ${saved.length - kept.length} of ${saved.length} histories in ${folder}.`);
  for (const { file } of kept) say(`${file} was there already, and is not written over.`);
}

/** What breaks is told in our words; Temporal's own about it would come first and be many. */
function quieten(): void {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR', () => undefined),
      telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
    });
  } catch (error) {
    // The user's module has installed one of its own, and may say what it likes.
    if (!(error instanceof IllegalStateError)) throw error;
  }
}

function row({ result, events, name }: ReplayedHistory): readonly string[] {
  return [result === 'not-begun' ? 'not begun' : result, String(events), name];
}

function indented(line: string): string {
  return `  ${line}`;
}
