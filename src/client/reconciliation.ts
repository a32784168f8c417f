import { type ReconciliationRef, wakeReconciliation } from '../wake-reconciliation';
import type { ReconciliationReport } from '../workflows';
import { REPORT_QUERY, reconciliationId } from '../workflows/reconciliation-names';
import type { TemporalCalls } from './temporal-calls';
import { meaningOf } from './waiting';

/** The workflow that finds out what became of what is not settled. */
export interface Reconciliation {
  /** Lets it look at once; it looks by itself at the latest when its timer is over. Throws TemporalUnreachableError. */
  wake(): Promise<void>;
  /** What it has before it. Needs a worker that answers. Throws TemporalUnreachableError. */
  report(): Promise<ReconciliationReport>;
}

interface ReconciliationParts extends ReconciliationRef {
  readonly temporal: TemporalCalls;
  readonly server: string;
  readonly closing: AbortSignal;
}

export function reconciliationOf({
  temporal,
  server,
  closing,
  ledger,
  taskQueue,
}: ReconciliationParts): Reconciliation {
  const ref = { ledger, taskQueue };
  const call: TemporalCalls['run'] = (signal, use) =>
    temporal.run(signal, use).catch((error: unknown) => {
      throw meaningOf(error, server, closing);
    });
  return {
    wake: () => call(closing, (client) => wakeReconciliation(client, ref)),
    report: () =>
      call(closing, ({ workflow }) =>
        workflow.getHandle(reconciliationId(ref)).query<ReconciliationReport>(REPORT_QUERY),
      ),
  };
}
