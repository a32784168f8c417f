import {
  ActivityCancellationType,
  type ActivityOptions,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  proxyActivities,
  TemporalFailure,
} from '@temporalio/workflow';
import type {
  CallToolInput,
  CallToolResult,
  InternalActivities,
  OfLedger,
  ScheduledCall,
} from '../activities/activity-inputs';
import type { StepRef, TurnRef } from '../conversations/refs';
import type { TurnOutcome } from '../conversations/turns';
import { TurnProgress } from './turn-progress';

/** The turn to run: references and numbers only, since it stands in the history. */
export interface AgentTurnInput extends TurnRef, OfLedger {
  /** Model calls the turn may take before it is ended. */
  readonly maxSteps: number;
  /** Whether the namespace knows the toolkit's search attributes: an unregistered one would stall the workflow. */
  readonly searchAttributes?: boolean;
}

/** What the customer was told is in the conversation's row of the turn. */
export interface AgentTurnResult {
  readonly outcome: TurnOutcome;
  readonly steps: number;
}

/** A model that is slow is waited for; one that is gone is asked again until this is over. */
const MODEL = {
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} satisfies ActivityOptions;

/** Ends of calls and turns are a few statements; they are repeated until they are written. */
const RECORD = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
} satisfies ActivityOptions;

/** One run of the agent for one message: model, planned calls in parallel, results in order, model again. */
export async function agentTurn({
  maxSteps,
  searchAttributes = false,
  ...turn
}: AgentTurnInput): Promise<AgentTurnResult> {
  const progress = new TurnProgress(searchAttributes);
  try {
    for (let step = 1; step <= maxSteps; step++) {
      const ref = { ...turn, step };
      progress.asksModel(step);
      const { calls, ended } = await summed(MODEL, `step ${step}`)['sendonce.callModel'](ref);
      if (ended) {
        progress.ended('answered');
        return { outcome: 'answered', steps: step };
      }
      progress.runsCalls(step, calls);
      // All of them, whatever became of one: the turn must not end while a call of it still runs.
      const settled = await Promise.allSettled(calls.map((call) => runCall(ref, call)));
      const results = settled.map((call) => {
        if (call.status === 'rejected') throw call.reason;
        return call.value;
      });
      progress.ranCalls(calls, results);
      // A cancelled call is no failure of the call; the turn ends after it has its truth.
      if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The turn was cancelled.');
    }
    await summed(RECORD, 'step limit')['sendonce.endTurn']({ ...turn, outcome: 'step_limit' });
    progress.ended('step_limit');
    return { outcome: 'step_limit', steps: maxSteps };
  } catch (error) {
    // A bug of a new release stalls the workflow until it is mended; only what activities report ends the turn.
    if (!(error instanceof TemporalFailure)) throw error;
    const outcome = isCancellation(error) ? 'cancelled' : 'failed';
    await CancellationScope.nonCancellable(() => summed(RECORD, outcome)['sendonce.endTurn']({ ...turn, outcome }));
    progress.ended(outcome);
    throw outcome === 'cancelled' ? error : turnFailure(error);
  }
}

/** Gives what is true of the call, whatever became of its activity. */
async function runCall(
  ref: StepRef & OfLedger,
  { position, tool, operationId, options }: ScheduledCall,
): Promise<CallToolResult> {
  const place = { ...ref, position };
  const tools = proxyActivities<Record<string, (input: CallToolInput) => Promise<CallToolResult>>>({
    startToCloseTimeout: options.startToCloseMs,
    heartbeatTimeout: options.heartbeatMs,
    scheduleToCloseTimeout: options.scheduleToCloseMs,
    // No maximumAttempts: a frozen worker's open polls swallow tasks, and each would count.
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: operationId ?? `step ${ref.step}, call ${position + 1}`,
    ...(options.taskQueue === undefined ? {} : { taskQueue: options.taskQueue }),
  });
  const call = tools[tool];
  if (!call) throw ApplicationFailure.nonRetryable(`Bug: no activity for ${tool}.`, 'Bug');
  try {
    return await call(place);
  } catch (error) {
    const why = isCancellation(error) ? 'The turn was cancelled.' : reasonOf(error);
    return CancellationScope.nonCancellable(() =>
      summed(RECORD, operationId ?? tool)['sendonce.closeCall']({ ...place, why }),
    );
  }
}

/** The toolkit's own activities, under a line that Temporal's UI shows beside the activity's type. */
function summed(options: ActivityOptions, summary: string): InternalActivities {
  return proxyActivities<InternalActivities>({ ...options, summary });
}

function turnFailure(error: unknown): unknown {
  return ApplicationFailure.nonRetryable(`The turn failed: ${reasonOf(error)}`, 'SENDONCE_TURN_FAILED');
}

/** An ActivityFailure says only that an activity failed; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
