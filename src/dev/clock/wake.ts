import type { Client } from '@temporalio/client';

/** Whose reconciliation. */
export interface Woken {
  /** The ledger's name. */
  readonly ledger: string;
  readonly taskQueue: string;
}

/** The one place of the demo that wakes reconciliation: what became due by a moved clock is looked at now. */
export async function wake(_client: Client, _woken: Woken): Promise<void> {
  // WIRING: `await wakeReconciliation(client, woken)` of activities/wake-reconciliation.
}
