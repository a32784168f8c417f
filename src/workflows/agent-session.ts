import {
  type ActivityOptions,
  CancellationScope,
  ChildWorkflowCancellationType,
  condition,
  continueAsNew,
  defineSignal,
  executeChild,
  type LocalActivityOptions,
  ParentClosePolicy,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
  WorkflowIdReusePolicy,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  AgentSessionInput,
  InternalActivities,
  NextTurn,
  NextTurnInput,
  WakeSignal,
} from '../activities/activity-inputs';
import type { agentTurn } from './agent-turn';
import { SESSION_KEY } from './search-attribute-keys';

export type { AgentSessionInput };

const WAKE: WakeSignal = 'sendonce.wake';
const wakeSignal = defineSignal(WAKE);

/**
 * The look at the rows stands between a message and its turn, so it is done where the workflow runs and once. What that
 * worker cannot do (its ledger is another, or it runs workflows only) another one does as an activity.
 */
const LOOK_HERE = { startToCloseTimeout: '5 seconds', retry: { maximumAttempts: 1 } } satisfies LocalActivityOptions;

const LOOK = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
} satisfies ActivityOptions;

/** Asks as often as somebody waits for what comes after the turn; a turn may take minutes. */
const SETTLE = { ...LOOK, retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds' } };

/** A hook that is out of order for days is asked a few times an hour. */
const DELIVER = { ...LOOK, retry: { initialInterval: '1 second', maximumInterval: '10 minutes' } };

/**
 * One conversation: its turns one at a time, in the order of their rows. It carries nothing but its input, since rows are
 * the truth; it ends when nothing is left, and the next hint begins it again.
 */
export async function agentSession(input: AgentSessionInput): Promise<void> {
  const { turnsPerRun = Number.POSITIVE_INFINITY } = input;
  const session = sessionOf(input);
  const deliveries = new Deliveries(session);
  let woken = false;
  setHandler(wakeSignal, () => {
    woken = true;
  });
  for (let turns = 0; turns < turnsPerRun && !workflowInfo().continueAsNewSuggested; ) {
    // A hint that comes after this may be about what the look did not see.
    woken = false;
    const { turn, undelivered } = await lookAt(session);
    deliveries.begin(undelivered);
    if (turn !== null) {
      setCurrentDetails(`Running ${turn.workflowId}.`);
      await runTurn(input, turn);
      turns += 1;
    } else if (deliveries.areRunning) {
      setCurrentDetails('Waiting for the hook that delivers what was told.');
      await condition(() => woken || !deliveries.areRunning);
    } else if (!woken) {
      setCurrentDetails('Nothing is left to do.');
      return;
    }
  }
  // What is not delivered yet is found by the next run.
  await continueAsNew<typeof agentSession>(input);
}

function sessionOf({ tenant, sessionId, ledger }: AgentSessionInput): NextTurnInput {
  return { tenant, sessionId, ...(ledger === undefined ? {} : { ledger }) };
}

async function lookAt(session: NextTurnInput): Promise<NextTurn> {
  try {
    return await proxyLocalActivities<InternalActivities>(LOOK_HERE)['sendonce.nextTurn'](session);
  } catch (error) {
    // A local activity's failure comes bare, without the ActivityFailure around it.
    if (!(error instanceof TemporalFailure) || CancellationScope.current().consideredCancelled) throw error;
    return proxyActivities<InternalActivities>(LOOK)['sendonce.nextTurn'](session);
  }
}

/** Ends when the turn has its end, however it came to it; no failure of a turn is one of its session. */
async function runTurn(
  { maxSteps, searchAttributes = false, ...input }: AgentSessionInput,
  { turn, workflowId, summary }: NonNullable<NextTurn['turn']>,
): Promise<void> {
  const session = sessionOf({ ...input, maxSteps });
  try {
    await executeChild<typeof agentTurn>('agentTurn', {
      workflowId,
      args: [{ ...session, turn, maxSteps, ...(searchAttributes ? { searchAttributes } : {}) }],
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      // Whoever ends the session's workflow does not mean to break off what it is doing.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      staticSummary: summary,
      ...(searchAttributes
        ? { typedSearchAttributes: [{ key: SESSION_KEY, value: `${session.tenant}/${session.sessionId}` }] }
        : {}),
    });
  } catch (error) {
    if (!(error instanceof TemporalFailure) || CancellationScope.current().consideredCancelled) throw error;
    // It failed, was terminated or reset, or ran before: an earlier release or an earlier run began it.
    await proxyActivities<InternalActivities>({ ...SETTLE, summary: workflowId })['sendonce.settleTurn']({
      ...session,
      turn,
    });
  }
}

/** What is being handed to the hook, beside the turns. */
class Deliveries {
  readonly #session: NextTurnInput;
  readonly #begun = new Set<number>();
  #running = 0;

  constructor(session: NextTurnInput) {
    this.#session = session;
  }

  get areRunning(): boolean {
    return this.#running > 0;
  }

  begin(turns: readonly number[]): void {
    for (const turn of turns) {
      if (this.#begun.has(turn)) continue;
      this.#begun.add(turn);
      this.#running += 1;
      void this.#deliver(turn);
    }
  }

  async #deliver(turn: number): Promise<void> {
    try {
      const activities = proxyActivities<InternalActivities>({ ...DELIVER, summary: `follow-up ${turn}` });
      await activities['sendonce.deliver']({ ...this.#session, turn });
    } catch (error) {
      // It is tried until it succeeds, so this one was cancelled or is a bug; the next run of the session tries again.
      if (!(error instanceof TemporalFailure)) throw error;
    } finally {
      this.#running -= 1;
    }
  }
}
