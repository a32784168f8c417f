import { addFollowUps, markDelivered, type Notice, readWork, type Settlement } from '../conversations/follow-ups';
import { type SessionRef, workflowIdOf } from '../conversations/refs';
import { fold } from '../operations/fold';
import { settlementNotice } from '../operations/settlement-notice';
import type { NextTurn } from './activity-inputs';
import type { ActivityContext } from './context';

/**
 * What a session does next. Where no turn of it is open, what it was to hear of becomes turns first. Rows say all of
 * it, so that it may be asked again, or twice at once.
 */
export async function nextTurn(context: ActivityContext, session: SessionRef): Promise<NextTurn> {
  const { database, deliver } = context;
  for (;;) {
    const { customer, open, settled, undelivered } = await readWork(database, session);
    if (open === null && settled.length > 0) {
      await addFollowUps(database, session, await Promise.all(settled.map((each) => notice(context, session, each))));
      continue;
    }
    const handed = deliver === null ? [] : undelivered;
    if (undelivered.length > handed.length) await markDelivered(database, session, undelivered);
    if (open === null) return { turn: null, undelivered: handed };
    const { turn, kind } = open;
    const summary = kind === 'message' ? `message ${turn} of ${customer}` : `follow-up ${turn} to ${customer}`;
    return { turn: { turn, workflowId: workflowIdOf({ ...session, turn }), summary }, undelivered: handed };
  }
}

/** By what is true now: where an alarm has come meanwhile nothing is told, and what settles it is told anew. */
async function notice({ ledger }: ActivityContext, { tenant }: SessionRef, settlement: Settlement): Promise<Notice> {
  const { operationId } = settlement;
  const operation = fold((await ledger.load({ tenant, operationId })).events);
  return { ...settlement, text: operation === null ? null : settlementNotice(operation, operationId) };
}
