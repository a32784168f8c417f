import type { Client } from '@temporalio/client';
import type { AgentSessionInput, WakeSignal } from './activities/activity-inputs';
import type { SessionRef } from './conversations/refs';
import { SESSION_KEY } from './workflows/search-attribute-keys';

/** A session whose rows have something to do. */
export interface WakeSessionInput extends AgentSessionInput {
  readonly ledger: string;
  readonly taskQueue: string;
  readonly searchAttributes: boolean;
}

const WAKE: WakeSignal = 'sendonce.wake';

/**
 * Begins the session's workflow, or has it look again where it runs. A hint that is repeated or lost does no harm: what
 * is to be done is in rows.
 */
export async function wakeSession({ workflow }: Client, { taskQueue, ...input }: WakeSessionInput): Promise<void> {
  const { tenant, sessionId, searchAttributes } = input;
  await workflow.signalWithStart('agentSession', {
    workflowId: sessionWorkflowIdOf(input),
    taskQueue,
    args: [input],
    signal: WAKE,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    ...(searchAttributes ? { typedSearchAttributes: [{ key: SESSION_KEY, value: `${tenant}/${sessionId}` }] } : {}),
  });
}

function sessionWorkflowIdOf({ tenant, sessionId }: SessionRef): string {
  return `session/${tenant}/${sessionId}`;
}
