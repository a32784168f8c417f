import { fold } from '../operations/fold';
import { inFlightUntil } from '../operations/state';
import type { Instant } from '../operations/time';
import type { LedgerSave } from './ledger';

/** The folded row, for finding: columns of the table `operations` by their names. */
export interface OperationRow {
  readonly tool: string;
  readonly provider: string;
  readonly state: string;
  readonly reason: string | null;
  readonly external_id: string | null;
  readonly resolved_by: string | null;
  readonly generation: number;
  readonly key: string | null;
  readonly attempts: number;
  readonly in_flight_until: Instant | null;
}

/** The row after a save. The new events' times play no part in it. */
export function rowAfter({ before, events, operationId }: LedgerSave): OperationRow {
  const added = events.map((event, index) => ({ ...event, seq: before.length + index + 1, at: 0 }));
  const operation = fold([...before, ...added]);
  if (operation === null) throw new Error(`Bug: the first event of ${operationId} registers nothing.`);
  const { tool, provider, state, reason, externalId, resolvedBy, current } = operation;
  return {
    tool,
    provider,
    state,
    reason: reason === null ? null : printable(reason),
    external_id: externalId === null ? null : printable(externalId),
    resolved_by: resolvedBy,
    generation: current.number,
    key: current.registration?.key ?? null,
    attempts: current.attempts.length,
    in_flight_until: inFlightUntil(operation),
  };
}

/** Text columns take no NUL and no lone surrogate; the event keeps them. */
function printable(text: string): string {
  return text.replaceAll('\0', '\u{FFFD}').toWellFormed();
}
