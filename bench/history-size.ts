import type { Client } from '@temporalio/client';

export interface HistorySize {
  readonly events: number;
  /** As the server counts them; its limits are in the same unit. */
  readonly bytes: number;
}

export async function historySize(client: Client, workflowId: string): Promise<HistorySize> {
  const { historyLength, historySize: bytes } = await client.workflow.getHandle(workflowId).describe();
  if (bytes === undefined) throw new Error(`The server does not tell the size of ${workflowId}.`);
  return { events: historyLength, bytes };
}
