import { Context } from '@temporalio/activity';
import { isUnfinished } from '../operations/reply';
import { asFailure, LedgerMismatchError } from './activity-errors';
import type {
  CallModelInput,
  CallToolInput,
  CloseCallInput,
  DeliverInput,
  EndTurnInput,
  NextTurnInput,
  OfLedger,
  SettleTurnInput,
} from './activity-inputs';
import { callModel } from './call-model';
import { callTool } from './call-tool';
import { closeCall } from './close-call';
import type { ActivityContext } from './context';
import { deliver } from './deliver';
import { endTurnEarly } from './end-turn-early';
import { withHeartbeats } from './heartbeats';
import { nextTurn } from './next-turn';
import { agenda, reconcile } from './reconcile';
import type { PassInput } from './reconcile-inputs';
import { settleTurn } from './settle-turn';

type Activity = (input: never) => Promise<unknown>;

/** All activities of a worker: one per tool under the tool's name, and the toolkit's own with `sendonce.` in front. */
export function createActivities(context: ActivityContext): Record<string, Activity> {
  const { ledgerId } = context;
  const activity = <Input extends OfLedger>(run: (input: Input) => Promise<unknown>) => activityOf(ledgerId, run);
  const activities: Record<string, Activity> = {
    'sendonce.callModel': activity((input: CallModelInput) => callModel(context, input)),
    'sendonce.closeCall': activity((input: CloseCallInput) => closeCall(context, input)),
    'sendonce.endTurn': activity((input: EndTurnInput) => endTurnEarly(context, input)),
    'sendonce.agenda': activity(() => agenda(context)),
    'sendonce.reconcile': activity((input: PassInput) => reconcile(context, input)),
    'sendonce.nextTurn': activity((input: NextTurnInput) => nextTurn(context, input)),
    'sendonce.settleTurn': activity((input: SettleTurnInput) => settleTurn(context, input)),
    'sendonce.deliver': activity((input: DeliverInput) => deliver(context, input)),
  };
  for (const tool of context.catalogue.values()) {
    activities[tool.name] = activity(async (input: CallToolInput) => {
      const result = await callTool(context, tool, input);
      // What is not finished is due before long, and reconciliation does not know of it yet.
      if (isUnfinished(result.code)) context.hints.hint();
      return result;
    });
  }
  return activities;
}

/** Heartbeats around it, and its errors in Temporal's form; nothing of it for turns of another ledger. */
function activityOf<Input extends OfLedger>(
  ledgerId: string,
  run: (input: Input) => Promise<unknown>,
): (input: Input) => Promise<unknown> {
  return ({ ledger, ...input }) =>
    withHeartbeats(async () => {
      if (ledger !== undefined && ledger !== ledgerId) throw new LedgerMismatchError(ledger, ledgerId);
      return run(input as Input);
    }).catch((error: unknown) => {
      // What fails because it was cancelled (an aborted model call, say) was cancelled.
      const { cancellationSignal } = Context.current();
      throw cancellationSignal.aborted ? cancellationSignal.reason : asFailure(error);
    });
}
