import { ApplicationFailure, Context } from '@temporalio/activity';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { workflowIdOf } from '../conversations/refs';
import { readTurn } from '../conversations/turns';
import type { SettleTurnInput } from './activity-inputs';
import type { ActivityContext } from './context';
import { endTurnEarly } from './end-turn-early';

/**
 * Succeeds when a turn that the session did not see end has its end: one that an earlier release started, that was
 * reset, terminated, or outlived its session's workflow. One that can write no end any more gets it here. While it runs this
 * fails, so that Temporal asks again and the history does not grow.
 */
export async function settleTurn(context: ActivityContext, turn: SettleTurnInput): Promise<void> {
  if ((await readTurn(context.database, turn)).outcome !== null) return;
  const workflowId = workflowIdOf(turn);
  if (await isRunning(Context.current().client, workflowId)) {
    const message = `${workflowId} still runs.`;
    // Benign: nothing is wrong, and nobody's log has to show it.
    throw ApplicationFailure.create({ message, type: 'SENDONCE_TURN_RUNNING', category: 'BENIGN' });
  }
  // A turn ends its row itself, and the first end counts. One that was terminated could not.
  await endTurnEarly(context, { ...turn, outcome: 'failed' });
}

async function isRunning({ workflow }: Client, workflowId: string): Promise<boolean> {
  try {
    return (await workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
