import { readFileSync } from 'node:fs';
import { Client, WorkflowNotFoundError } from '@temporalio/client';
import { DEFAULT_TASK_QUEUE } from '../../task-queue';
import { CommandError } from '../command-error';
import { withTemporal } from '../connect-temporal';
import { type History, readHistory } from './read-history';

/** A history, and what it is called: its workflow's ID, or its file. */
export interface FoundHistory {
  readonly workflowId: string;
  readonly history: History;
}

export interface HistorySources {
  readonly files: readonly string[];
  readonly workflowId?: readonly string[];
  readonly recent?: number | true;
  readonly taskQueue?: string;
}

const RECENT_DEFAULT = 20;

/** Reads all of them before anything is replayed. Throws CommandError. Without a need for it, no server is asked. */
export async function findHistories(sources: HistorySources): Promise<FoundHistory[]> {
  const { files, workflowId = [], recent, taskQueue } = sources;
  const read = files.map((file) => ({ workflowId: file, history: fromFile(file) }));
  if (workflowId.length === 0 && recent === undefined) return read;
  return withTemporal(async (connection, namespace) => {
    const client = new Client({ connection, namespace });
    const ids = [...workflowId];
    if (recent !== undefined) {
      ids.push(...(await latest(client, taskQueue ?? DEFAULT_TASK_QUEUE, recent === true ? RECENT_DEFAULT : recent)));
    }
    const fetched: FoundHistory[] = [];
    for (const id of ids) fetched.push({ workflowId: id, history: await fromServer(client, id) });
    return [...read, ...fetched];
  });
}

function fromFile(file: string): History {
  try {
    return readHistory(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `${file} cannot be read as the history of a workflow: ${why}. ` +
        'Make one with: temporal workflow show --workflow-id ID --output json > FILE',
    );
  }
}

/** The server lists the latest first. None is an error: a mistyped queue must not pass for a release that is fine. */
async function latest(client: Client, taskQueue: string, count: number): Promise<string[]> {
  const query = `TaskQueue = ${JSON.stringify(taskQueue)}`;
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query, pageSize: count })) {
    ids.push(workflowId);
    if (ids.length === count) break;
  }
  if (ids.length === 0) {
    const { namespace } = client.options;
    throw new CommandError(
      `There are no workflows to replay on task queue ${taskQueue} in namespace ${namespace}. Correct --task-queue or TEMPORAL_NAMESPACE.`,
    );
  }
  return ids;
}

async function fromServer(client: Client, id: string): Promise<History> {
  const handle = client.workflow.getHandle(id);
  try {
    // Asked first, since it alone says in so many words that there is none.
    await handle.describe();
    return await handle.fetchHistory();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    throw new CommandError(`The server has no workflow ${id} in namespace ${client.options.namespace}.`);
  }
}
