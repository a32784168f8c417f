import {
  ActivityCancellationType,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  proxyActivities,
  TemporalFailure,
} from '@temporalio/workflow';
import type { CallToolInput, CallToolResult, InternalActivities, ScheduledCall } from '../activities/activity-inputs';
import type { StepRef, TurnRef } from '../conversations/refs';
import type { TurnOutcome } from '../conversations/turns';

export interface AgentTurnInput extends TurnRef {
  /** Model calls the turn may take before it is ended. */
  readonly maxSteps: number;
}

/** What the customer was told is in the conversation's row of the turn. */
export interface AgentTurnResult {
  readonly outcome: TurnOutcome;
  readonly steps: number;
}

/** A model that is slow is waited for; one that is gone is asked again until this is over. */
const model = proxyActivities<InternalActivities>({
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Ends of calls and turns are a few statements; they are repeated until they are written. */
const record = proxyActivities<InternalActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

/** One run of the agent for one message: model, planned calls in parallel, results in order, model again. */
export async function agentTurn({ maxSteps, ...turn }: AgentTurnInput): Promise<AgentTurnResult> {
  try {
    for (let step = 1; step <= maxSteps; step++) {
      const ref = { ...turn, step };
      const { calls, ended } = await model['sendonce.callModel'](ref);
      if (ended) return { outcome: 'answered', steps: step };
      // All of them, whatever became of one: the turn must not end while a call of it still runs.
      const settled = await Promise.allSettled(calls.map((call) => runCall(ref, call)));
      for (const call of settled) if (call.status === 'rejected') throw call.reason;
      // A cancelled call is no failure of the call; the turn ends after it has its truth.
      if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The turn was cancelled.');
    }
    await record['sendonce.endTurn']({ ...turn, outcome: 'step_limit' });
    return { outcome: 'step_limit', steps: maxSteps };
  } catch (error) {
    // A bug of a new release stalls the workflow until it is mended; only what activities report ends the turn.
    if (!(error instanceof TemporalFailure)) throw error;
    const outcome = isCancellation(error) ? 'cancelled' : 'failed';
    await CancellationScope.nonCancellable(() => record['sendonce.endTurn']({ ...turn, outcome }));
    throw outcome === 'cancelled' ? error : turnFailure(error);
  }
}

/** Gives what is true of the call, whatever became of its activity. */
async function runCall(ref: StepRef, { position, tool, operationId, options }: ScheduledCall): Promise<CallToolResult> {
  const place = { ...ref, position };
  const tools = proxyActivities<Record<string, (input: CallToolInput) => Promise<CallToolResult>>>({
    startToCloseTimeout: options.startToCloseMs,
    heartbeatTimeout: options.heartbeatMs,
    scheduleToCloseTimeout: options.scheduleToCloseMs,
    // No maximumAttempts: a frozen worker's open polls swallow tasks, and each would count.
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    ...(operationId === null ? {} : { summary: operationId }),
  });
  const call = tools[tool];
  if (!call) throw ApplicationFailure.nonRetryable(`Bug: no activity for ${tool}.`, 'Bug');
  try {
    return await call(place);
  } catch (error) {
    const why = isCancellation(error) ? 'The turn was cancelled.' : reasonOf(error);
    return CancellationScope.nonCancellable(() => record['sendonce.closeCall']({ ...place, why }));
  }
}

function turnFailure(error: unknown): unknown {
  return ApplicationFailure.nonRetryable(`The turn failed: ${reasonOf(error)}`, 'SENDONCE_TURN_FAILED');
}

/** An ActivityFailure says only that an activity failed; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
