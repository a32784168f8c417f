import type { Client } from '@temporalio/client';
import { hasBegun, type NamedHistory } from '../../src/replay/history';
import { type ReplayOn, replayHistories } from '../../src/replay/replay-histories';
import { HistoriesBrokenError } from '../../src/testing/replay/replay-histories';
import type { History } from './history';
import type { WorkflowBundle } from './workflow-bundle';

/** Replays histories against the workflows of a bundle. Throws HistoriesBrokenError. */
export async function expectReplays(
  workflowBundle: WorkflowBundle,
  histories: readonly NamedHistory[],
  options: Pick<ReplayOn, 'dataConverter'> = {},
): Promise<void> {
  const replayed = await replayHistories(histories, { workflowBundle, ...options });
  const broken = replayed.filter(({ result }) => result !== 'ok');
  if (broken.length > 0) throw new HistoriesBrokenError(broken);
}

/** All runs of a workflow: the present one, and those it was reset from or continues. */
export async function fetchRuns(client: Client, workflowId: string): Promise<NamedHistory[]> {
  const runs: NamedHistory[] = [];
  for (let runId: string | undefined, more = true; more; ) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    // A run that has not begun yet (continued as new a moment ago) has nothing to replay, and a replay waits for it.
    if (hasBegun(history)) runs.push({ name: workflowId, history });
    const earlier = resetFrom(history) ?? continuedFrom(history);
    more = earlier !== null && earlier !== runId;
    runId = earlier ?? undefined;
  }
  return runs;
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
