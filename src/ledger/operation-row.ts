import { type Announcement, announcementsOf } from '../operations/announcements';
import { type Due, firstDue } from '../operations/due';
import type { Recorded } from '../operations/event';
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
  readonly waits_for: string | null;
}

/** What a save writes beside its events: all of it the fold's, and decided by the rules. */
export interface Folded {
  readonly row: OperationRow;
  readonly due: Due;
  readonly announcements: readonly Announcement[];
}

/** After a save. The new events' times play no part in it. */
export function foldedAfter({ before, events, operationId }: LedgerSave): Folded {
  const added = events.map((event, index): Recorded => ({ ...event, seq: before.length + index + 1, at: 0 }));
  const history = [...before, ...added];
  const operation = fold(history);
  if (operation === null) throw new Error(`Bug: the first event of ${operationId} registers nothing.`);
  const { tool, provider, state, reason, externalId, resolvedBy, current } = operation;
  const row = {
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
    waits_for: state === 'registered' ? current.waitsFor : null,
  };
  return { row, due: firstDue(operation, history), announcements: announcementsOf(history, added.length) };
}

/** Text columns take no NUL and no lone surrogate; the event keeps them. */
function printable(text: string): string {
  return text.replaceAll('\0', '\u{FFFD}').toWellFormed();
}
