import type { Client } from '@temporalio/client';
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import type { History } from './history';
import type { WorkflowBundle } from './workflow-bundle';

export interface RecordedHistory {
  readonly workflowId: string;
  readonly history: History;
}

/** Replays histories against the workflows of a bundle. Throws the first DeterminismViolationError. */
export async function replayHistories(
  bundle: WorkflowBundle,
  histories: readonly RecordedHistory[],
  options: Pick<ReplayWorkerOptions, 'dataConverter'> = {},
): Promise<void> {
  if (histories.length === 0) return;
  for await (const { error } of Worker.runReplayHistories({ workflowBundle: bundle, ...options }, histories)) {
    if (error) throw error;
  }
}

/** All runs of a workflow: the present one, and those it was reset from or continues. */
export async function fetchRuns(client: Client, workflowId: string): Promise<RecordedHistory[]> {
  const runs: RecordedHistory[] = [];
  for (let runId: string | undefined, more = true; more; ) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    // A run that has not begun yet (continued as new a moment ago) has nothing to replay, and a replay waits for it.
    if (hasBegun(history)) runs.push({ workflowId, history });
    const earlier = resetFrom(history) ?? continuedFrom(history);
    more = earlier !== null && earlier !== runId;
    runId = earlier ?? undefined;
  }
  return runs;
}

function hasBegun({ events }: History): boolean {
  return (events ?? []).some(({ workflowTaskCompletedEventAttributes: completed }) => completed);
}

function continuedFrom({ events }: History): string | null {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || null;
}

function resetFrom({ events }: History): string | null {
  const resets = (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
    failed?.baseRunId ? [failed.baseRunId] : [],
  );
  return resets.at(-1) ?? null;
}
