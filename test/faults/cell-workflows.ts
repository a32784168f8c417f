import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { reconciliationId } from '../../src/workflows/reconciliation-names';
import type { Stage } from './stage';

const CLOSED_WITHIN_MS = 30_000;
const POLL_MS = 200;

/** It would go on looking for as long as the server runs. */
export async function endReconciliation({ temporal }: Stage, ledger: string, taskQueue: string): Promise<void> {
  const connection = await Connection.connect({ address: temporal.address });
  try {
    await new Client({ connection }).workflow.getHandle(reconciliationId({ ledger, taskQueue })).terminate();
  } finally {
    await connection.close();
  }
}

/** Waits until it is closed, at most so long, and gives how. */
export async function statusOf({ workflow }: Client, workflowId: string): Promise<string> {
  const end = performance.now() + CLOSED_WITHIN_MS;
  for (;;) {
    const status = await workflow
      .getHandle(workflowId)
      .describe()
      .then(({ status: { name } }) => name as string)
      .catch((error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return 'NOT FOUND';
        throw error;
      });
    if (status !== 'RUNNING' || performance.now() > end) return status;
    await sleep(POLL_MS);
  }
}
