import type { Client } from '@temporalio/client';

export interface SessionToWake {
  readonly tenant: string;
  readonly sessionId: string;
  readonly ledger: string;
  readonly taskQueue: string;
  readonly maxSteps: number;
  readonly searchAttributes: boolean;
}

export async function wakeSession(_client: Client, _session: SessionToWake): Promise<void> {
  // Replaced by the session's workflow.
}
