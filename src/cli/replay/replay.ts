import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  type ReplayWorkerOptions,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { workflowSource } from '../../workflow-source';
import { CommandError } from '../command-error';
import { print, textWidth } from '../print';
import { table } from '../table';
import { wrapText } from '../wrap-text';
import { type FoundHistory, findHistories, type HistorySources } from './find-histories';
import { problemText } from './problem-text';

interface ReplayOptions extends HistorySources {
  readonly workflows?: string;
}

interface Replayed extends FoundHistory {
  readonly error: Error | null;
}

/** `sendonce replay`: a table of what replays, and exit code 1 if something does not. Throws CommandError. */
export async function replay({ workflows, ...sources }: ReplayOptions): Promise<void> {
  if (sources.files.length === 0 && sources.workflowId === undefined && sources.recent === undefined) {
    throw new CommandError('Name what to replay: files, --workflow-id ID, or --recent. See --help.');
  }
  const source = workflows === undefined ? workflowSource() : { workflowsPath: ownWorkflows(workflows) };
  const histories = await findHistories(sources);
  const results = await replayAll(source, histories);
  print(table(['RESULT', 'EVENTS', 'WORKFLOW'], results.map(row), textWidth()));
  for (const { workflowId, error } of results) {
    if (error !== null)
      print(['', workflowId, ...wrapText(problemText(error), textWidth() - 2).map(indented)].join('\n'));
  }
  if (results.some(({ error }) => error !== null)) process.exitCode = 1;
}

function ownWorkflows(file: string): string {
  const path = resolve(file);
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`);
  return path;
}

async function replayAll(source: ReplayWorkerOptions, histories: readonly FoundHistory[]): Promise<Replayed[]> {
  // What breaks is told below; Temporal's own words about it would come first and be many.
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
  const results: Replayed[] = [];
  // One after the other, in the order in which they are given.
  for await (const { error } of Worker.runReplayHistories(source, histories)) {
    const found = histories[results.length];
    if (!found) throw new Error('Bug: more results than histories.');
    results.push({ ...found, error: error ?? null });
  }
  return results;
}

function row({ workflowId, history, error }: Replayed): readonly string[] {
  const result = error === null ? 'ok' : error instanceof DeterminismViolationError ? 'breaks' : 'fails';
  return [result, String(history.events?.length ?? 0), workflowId];
}

function indented(line: string): string {
  return `  ${line}`;
}
