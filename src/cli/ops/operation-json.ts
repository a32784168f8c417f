import type { OperationSummary } from '../../ledger/find-operations';
import type { OperationDetail } from '../../ledger/read-operation';
import type { Recorded } from '../../operations/event';

/** For machines: the operation's fields by their names, times as ISO 8601 in UTC. */
export function operationJson(operation: OperationSummary): object {
  const { dueAt, checkedAt, createdAt, updatedAt, ...fields } = operation;
  return {
    ...fields,
    dueAt: dueAt === null ? null : isoTime(dueAt),
    checkedAt: checkedAt === null ? null : isoTime(checkedAt),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

/** The same with its events, each as the ledger keeps it; only the time of its commit is turned. */
export function operationDetailJson({ events, ...summary }: OperationDetail): object {
  return { ...operationJson(summary), events: events.map(eventJson) };
}

export function eventJson(event: Recorded): object {
  return { ...event, at: isoTime(event.at) };
}

export function isoTime(instant: number): string {
  return new Date(instant).toISOString();
}
