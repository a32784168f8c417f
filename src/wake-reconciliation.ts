import type { Client } from '@temporalio/client';
import type { reconciliation } from './workflows';
import { HINT_SIGNAL, reconciliationId } from './workflows/reconciliation-names';

/** Which reconciliation: that of a ledger, on the task queue whose workers have the tools. */
export interface ReconciliationRef {
  /** The ledger's name. */
  readonly ledger: string;
  readonly taskQueue: string;
}

/** Starts the reconciliation, or hints that something is due where it runs: once however often. */
export async function wakeReconciliation({ workflow }: Client, ref: ReconciliationRef): Promise<void> {
  const { ledger, taskQueue } = ref;
  await workflow.signalWithStart<typeof reconciliation>('reconciliation', {
    workflowId: reconciliationId(ref),
    taskQueue,
    args: [{ ledger }],
    signal: HINT_SIGNAL,
    staticSummary: `finds out what became of what is not settled in ledger ${ledger}`,
  });
}
