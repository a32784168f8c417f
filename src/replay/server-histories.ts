import { Client, WorkflowNotFoundError } from '@temporalio/client';
import type { TemporalSettings } from '../settings';
import { DEFAULT_TASK_QUEUE } from '../task-queue';
import { withTemporal } from '../with-temporal';
import type { NamedHistory } from './history';

/** Which workflows of a server: those of these IDs, and the latest ones where their number is given or no ID is. */
export interface ServerHistories {
  /** Where the server is; from the environment unless given. */
  readonly temporal?: TemporalSettings;
  readonly workflowIds?: readonly string[];
  /** How many of the latest; 20 unless given. */
  readonly recent?: number;
  /** Where the latest are looked for; `sendonce` unless given. */
  readonly taskQueue?: string;
  /** Narrows the latest, in the words of Temporal's list filters: `ExecutionStatus = "Running"`. */
  readonly query?: string;
}

/** The server has none of the workflows that were asked for. It does not mean that all replays are fine. */
export class HistoriesMissingError extends Error {
  readonly code = 'SENDONCE_HISTORIES_MISSING';
  override readonly name = 'HistoriesMissingError';
}

const RECENT_DEFAULT = 20;

/** A reconciliation has one workflow for weeks: it is never among the latest, and would be the first to break. */
const OUR_TYPES = ['agentTurn', 'agentSession', 'reconciliation'];

/** Throws HistoriesMissingError, SettingInvalidError, TemporalUnreachableError or NamespaceMissingError. */
export async function fetchHistories({ temporal, ...sources }: ServerHistories): Promise<NamedHistory[]> {
  const { workflowIds = [], recent, taskQueue = DEFAULT_TASK_QUEUE, query } = sources;
  return withTemporal(async (connection, namespace) => {
    const client = new Client({ connection, namespace });
    const runs: Run[] = workflowIds.map((workflowId) => ({ workflowId }));
    if (recent !== undefined || workflowIds.length === 0) {
      runs.push(...(await latest(client, { taskQueue, recent: recent ?? RECENT_DEFAULT, query })));
    }
    const fetched: NamedHistory[] = [];
    for (const run of runs) fetched.push(await fetchOne(client, run));
    return fetched;
  }, temporal);
}

interface Run {
  readonly workflowId: string;
  /** The one that is meant, where it is not the present one. */
  readonly runId?: string;
}

interface Latest {
  readonly taskQueue: string;
  readonly recent: number;
  readonly query: string | undefined;
}

/** The server lists the latest first. None is an error: a mistyped queue must not pass for a release that is fine. */
async function latest(client: Client, { taskQueue, recent, query }: Latest): Promise<Run[]> {
  const whole = [`TaskQueue = ${JSON.stringify(taskQueue)}`, ...(query === undefined ? [] : [`(${query})`])];
  const found = await list(client, whole, recent);
  if (found.length === 0) {
    const { namespace } = client.options;
    throw new HistoriesMissingError(
      `There are no workflows to replay on task queue ${taskQueue} in namespace ${namespace}. Correct the task queue or TEMPORAL_NAMESPACE.`,
    );
  }
  const missed = OUR_TYPES.filter((type) => !found.some((run) => run.type === type));
  const older = await Promise.all(
    missed.map((type) => list(client, [...whole, `WorkflowType = "${type}"`, 'ExecutionStatus = "Running"'], 1)),
  );
  const runs = [...found, ...older.flat()];
  // Of a workflow that continued as new the present run is called by its ID, and so is a workflow's only one.
  return runs.map(({ workflowId, runId }, index) =>
    runs.findIndex((other) => other.workflowId === workflowId) === index ? { workflowId } : { workflowId, runId },
  );
}

async function list(
  client: Client,
  conditions: readonly string[],
  count: number,
): Promise<{ readonly workflowId: string; readonly runId: string; readonly type: string }[]> {
  const found = [];
  for await (const { workflowId, runId, type } of client.workflow.list({
    query: conditions.join(' AND '),
    pageSize: count,
  })) {
    found.push({ workflowId, runId, type });
    if (found.length === count) break;
  }
  return found;
}

async function fetchOne(client: Client, { workflowId, runId }: Run): Promise<NamedHistory> {
  const handle = client.workflow.getHandle(workflowId, runId);
  const name = runId === undefined ? workflowId : `${workflowId} run ${runId}`;
  try {
    // Asked first, since it alone says in so many words that there is none.
    await handle.describe();
    return { name, history: await handle.fetchHistory() };
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    throw new HistoriesMissingError(
      `The server has no workflow ${workflowId} in namespace ${client.options.namespace}.`,
    );
  }
}
