import type { Client } from '@temporalio/client';
import { type ReconciliationRef, wakeReconciliation } from '../../wake-reconciliation';

/** The one place of the demo that wakes reconciliation: what became due by a moved clock is looked at now. */
export async function wake(client: Client, woken: ReconciliationRef): Promise<void> {
  await wakeReconciliation(client, woken);
}
