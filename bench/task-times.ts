import type { Client } from '@temporalio/client';

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;
type HistoryEvent = NonNullable<History['events']>[number];

/** Where the tasks of a turn spend their time, by the server's own stamps: milliseconds, mean of a task. */
export interface TaskTimes {
  readonly workflowTasks: TaskTime;
  readonly activities: TaskTime;
}

export interface TaskTime {
  readonly count: number;
  /** From scheduled to started: the server's queues, and a worker that polls. */
  readonly waiting: number;
  /** From started to completed: the worker, and the way back. */
  readonly running: number;
}

interface Task {
  readonly scheduled: number;
  readonly started: number;
  readonly completed: number;
}

export function taskTimes(histories: readonly History[]): TaskTimes {
  return {
    workflowTasks: meanOf(histories, (event) => event.workflowTaskCompletedEventAttributes),
    activities: meanOf(histories, (event) => event.activityTaskCompletedEventAttributes),
  };
}

interface Completed {
  readonly scheduledEventId?: unknown;
  readonly startedEventId?: unknown;
}

function meanOf(
  histories: readonly History[],
  completedOf: (event: HistoryEvent) => Completed | null | undefined,
): TaskTime {
  const tasks = histories.flatMap(({ events = [] }) => {
    const at = new Map((events ?? []).map((event) => [String(event.eventId), timeOf(event)]));
    return (events ?? []).flatMap((event): Task[] => {
      const completed = completedOf(event);
      if (!completed) return [];
      const scheduled = at.get(String(completed.scheduledEventId));
      const started = at.get(String(completed.startedEventId));
      if (scheduled === undefined || started === undefined)
        throw new Error('Bug: a task was completed, never started.');
      return [{ scheduled, started, completed: timeOf(event) }];
    });
  });
  const mean = (of: (task: Task) => number) => tasks.reduce((sum, task) => sum + of(task), 0) / tasks.length;
  return {
    count: tasks.length / histories.length,
    waiting: mean(({ scheduled, started }) => started - scheduled),
    running: mean(({ started, completed }) => completed - started),
  };
}

/** In milliseconds. */
function timeOf({ eventTime }: HistoryEvent): number {
  return Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1_000_000;
}
