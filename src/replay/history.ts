import type * as proto from '@temporalio/proto';

/** A workflow's history as Temporal keeps it, and as `Worker.runReplayHistories` takes it. */
export type History = proto.temporal.api.history.v1.IHistory;

/** A history, and what it is called: its workflow's ID, or its file. */
export interface NamedHistory {
  readonly name: string;
  readonly history: History;
}

/** Whose history it is. */
export function workflowType({ events }: History): string {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? '';
}

/** Whether the workflow has run at all: one that continued as new a moment ago has nothing to replay. */
export function hasBegun({ events }: History): boolean {
  return (events ?? []).some(({ workflowTaskCompletedEventAttributes: completed }) => completed);
}
