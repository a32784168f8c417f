import type { History } from './history';

type Event = NonNullable<History['events']>[number];

/** `event 5, ActivityTaskScheduled (refund_line_item)`: as Temporal's UI calls it, with the name that tells it from its like. */
export function eventName({ events }: History, id: string): string {
  const event = events?.find(({ eventId }) => String(eventId) === id);
  return event === undefined ? `event ${id}` : named(event);
}

/** The result of the nth local activity, as events that record one go. Temporal's core writes the marker, unencrypted. */
export function localActivityName({ events }: History, seq: number): string {
  for (const event of events ?? []) {
    const marker = localActivityOf(event);
    if (marker?.seq === seq) return `event ${String(event.eventId)}, local activity ${marker.type}`;
  }
  return `local activity ${seq}`;
}

function named(event: Event): string {
  const attributes = Object.entries(event).find(([key, value]) => key.endsWith('EventAttributes') && value !== null);
  const type = attributes?.[0].replace(/EventAttributes$/, '') ?? '';
  const what =
    event.activityTaskScheduledEventAttributes?.activityType?.name ??
    event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowType?.name ??
    localActivityOf(event)?.type;
  const name = `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
  return `event ${String(event.eventId)}, ${name}${what ? ` (${what})` : ''}`;
}

function localActivityOf({ markerRecordedEventAttributes: marker }: Event): { seq: number; type: string } | null {
  if (marker?.markerName !== 'core_local_activity') return null;
  const [payload] = marker.details?.['data']?.payloads ?? [];
  if (!payload?.data) return null;
  const { seq, activity_type: type } = JSON.parse(Buffer.from(payload.data).toString('utf8')) as {
    readonly seq: number;
    readonly activity_type: string;
  };
  return { seq, type };
}
