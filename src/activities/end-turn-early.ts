import { endTurn, readTurn, type TurnOutcome } from '../conversations/turns';
import type { EndTurnInput } from './activity-inputs';
import type { ActivityContext } from './context';

/**
 * What the customer reads when the model has no last word. It promises no result and denies none: operations that were
 * sent belong to the ledger, whatever became of the turn (rule 4).
 */
const LAST_WORDS: Record<Exclude<TurnOutcome, 'answered'>, string> = {
  step_limit: 'I could not finish this in one go. What was started is being taken care of, and you will hear about it.',
  failed: 'Something went wrong on our side. What was started is being taken care of, and you will hear about it.',
  cancelled: 'This was stopped. What had been sent by then is being taken care of, and you will hear about it.',
};

export async function endTurnEarly(
  { database }: Pick<ActivityContext, 'database'>,
  { outcome, ...turn }: EndTurnInput,
): Promise<void> {
  const { kind, message } = await readTurn(database, turn);
  // What became of the operation is known, whatever became of the turn that was to tell it.
  await endTurn(database, turn, { outcome, reply: kind === 'follow_up' ? message : LAST_WORDS[outcome] });
}
