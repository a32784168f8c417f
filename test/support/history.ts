import type { WorkflowHandle } from '@temporalio/client';

/** A workflow's history as Temporal keeps it. */
export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

interface Payload {
  readonly data?: Uint8Array | null;
}

export interface ScheduledActivity {
  readonly type: string;
  readonly summary: string | null;
  readonly input: unknown;
}

/** The activities in the order in which they were scheduled. */
export function scheduledActivities(history: History): ScheduledActivity[] {
  return (history.events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled, userMetadata }) => {
    if (!scheduled) return [];
    return {
      type: scheduled.activityType?.name ?? '',
      summary: userMetadata?.summary ? (jsonOf(userMetadata.summary) as string) : null,
      input: jsonOf(scheduled.input?.payloads?.[0] ?? {}),
    };
  });
}

/** Type and task queue of the activities, in the order in which they were scheduled. */
export function activityQueues(history: History): [type: string, taskQueue: string][] {
  return (history.events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [[scheduled.activityType?.name ?? '', scheduled.taskQueue?.name ?? '']] : [],
  );
}

/** What an activity of this type returned, by the order of its completions. */
export function activityResults(history: History, type: string): unknown[] {
  const events = history.events ?? [];
  const scheduled = events.filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === type);
  const ids = new Set(scheduled.map(({ eventId }) => String(eventId)));
  return events.flatMap(({ activityTaskCompletedEventAttributes: completed }) =>
    completed && ids.has(String(completed.scheduledEventId)) ? [jsonOf(completed.result?.payloads?.[0] ?? {})] : [],
  );
}

/** Names of the events, for example `ActivityTaskScheduled`, in order: each has its attributes under its name. */
export function eventTypes(history: History): string[] {
  return (history.events ?? []).map((event) => {
    const attributes = Object.entries(event).find(([key, value]) => key.endsWith('EventAttributes') && value !== null);
    const name = attributes?.[0].replace(/EventAttributes$/, '') ?? '';
    return name.charAt(0).toUpperCase() + name.slice(1);
  });
}

/** Everything in the history that can be read as text, payloads decoded: what anybody who may open it could read. */
export function historyText(history: History): string {
  return [...leaves(history)]
    .map(({ value }) => (typeof value === 'string' ? value : value.toString('utf8')))
    .join('\n');
}

/** Bytes of all payloads: what of the history is ours. */
export function payloadBytes(history: History): number {
  return [...leaves(history)].reduce(
    (sum, { name, value }) => (name === 'data' && typeof value !== 'string' ? sum + value.length : sum),
    0,
  );
}

function* leaves(value: unknown, name = ''): Generator<{ name: string; value: string | Buffer }> {
  if (typeof value === 'string') yield { name, value };
  if (value instanceof Uint8Array) yield { name, value: Buffer.from(value) };
  else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) yield* leaves(child, key);
  }
}

function jsonOf({ data }: Payload): unknown {
  return data ? JSON.parse(Buffer.from(data).toString('utf8')) : undefined;
}
