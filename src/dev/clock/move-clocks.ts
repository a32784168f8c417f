import type { Database } from '../../ledger/database';
import { moveClock } from '../../ledger/move-clock';
import type { Duration } from '../../operations/time';

/** Whose clocks they are, and who is to look afterwards. */
export interface Clocks {
  readonly database: Database;
  /** Moves the fake provider's clock. */
  readonly moveProvider: (by: Duration) => Promise<void> | void;
  readonly wakeReconciliation: () => Promise<void>;
}

/**
 * Moves the ledger's and the provider's clock together, wakes reconciliation, and gives how far the ledger is ahead then.
 * The ledger first: were it the provider that had forgotten a key first, a resend that the ledger still allows would be
 * a second refund.
 */
export async function moveClocks(
  { database, moveProvider, wakeReconciliation }: Clocks,
  by: Duration,
): Promise<Duration> {
  const ahead = await moveClock(database, by);
  await moveProvider(by);
  await wakeReconciliation();
  return ahead;
}
