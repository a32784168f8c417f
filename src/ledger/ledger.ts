import type { OperationEvent, Recorded } from '../operations/event';
import type { Pause } from '../operations/pause';
import type { Instant } from '../operations/time';

/** Which operation: IDs are unique per tenant. */
export interface OperationRef {
  readonly tenant: string;
  readonly operationId: string;
}

/** What one read gives: the history, the ledger's time and what is paused, from one statement. */
export interface LedgerRead {
  readonly now: Instant;
  readonly events: readonly Recorded[];
  readonly pauses: readonly Pause[];
}

/**
 * A read whose time is never before any event of the operation: where the server's clock was set back, the time stands
 * still instead, and no bound that was over is open again (rules 6 and 7). Not the last event's time alone: one that was
 * written after the set-back may carry the earlier time.
 */
export function ledgerRead(clock: Instant, events: readonly Recorded[], pauses: readonly Pause[] = []): LedgerRead {
  return { now: events.reduce((latest, { at }) => Math.max(latest, at), clock), events, pauses };
}

export interface LedgerSave extends OperationRef {
  /** The history that the new events were decided on; its length is the expected version. */
  readonly before: readonly Recorded[];
  /** At least one. */
  readonly events: readonly OperationEvent[];
}

/**
 * The register of operations: append-only events, and their fold as a row for finding. It holds no rule. What it
 * cannot tell (out of reach, a connection cut in COMMIT) it throws, and the caller reads again.
 */
export interface Ledger {
  load(ref: OperationRef): Promise<LedgerRead>;
  /**
   * Appends all events, the folded row and what is to be told of it if nobody else wrote since `before`; else writes
   * nothing and gives null. `at` is never before an earlier event of the operation.
   */
  save(save: LedgerSave): Promise<{ readonly at: Instant } | null>;
}
