import { Context } from '@temporalio/activity';
import { claimStaleSessions } from '../conversations/stale-sessions';
import { type ClaimedMessage, claimMessages, clearMessage } from '../ledger/outbox';
import { fold } from '../operations/fold';
import type { Duration, Instant } from '../operations/time';
import { within } from '../within';
import type { ActivityContext } from './context';

/** An operation was put before a person. The same key is the same escalation, however often it is told. */
export interface Escalation {
  /** Stable: tenant, operation and the version at which it was put before a person. */
  readonly key: string;
  readonly tenant: string;
  readonly operationId: string;
  readonly tool: string;
  readonly provider: string;
  /** Why, with what is known. */
  readonly reason: string;
  /** The provider's number for the effect, where one is known. */
  readonly externalId: string | null;
  /** Whose calls it was. */
  readonly customers: readonly string[];
  /** The ledger's time, in ms since the Unix epoch. */
  readonly at: Instant;
}

/** Tells people. At least once an escalation: what it throws is tried again later. */
export type OnEscalated = (escalation: Escalation) => Promise<void> | void;

const MESSAGES_A_PASS = 100;
const AT_A_TIME = 10;

/** Has settlements and escalations told that are due: sessions are woken, people by the hook. */
export async function announce(context: ActivityContext): Promise<void> {
  for (const session of await claimStaleSessions(context.database, MESSAGES_A_PASS)) {
    await inTime(context.wakeSession(session), context.reconciliation.tellWithin).catch((error: unknown) => {
      Context.current().log.warn('A session could not be woken; it is tried again.', { error });
    });
  }
  const messages = [...(await claimMessages(context.database, MESSAGES_A_PASS))];
  const worker = async () => {
    for (let message = messages.shift(); message !== undefined; message = messages.shift()) {
      await inTime(tell(context, message), context.reconciliation.tellWithin).catch((error: unknown) => {
        Context.current().log.warn('A message of the outbox could not be told; it is tried again.', { error });
      });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

/** What takes longer goes on, and may still clear its message. */
async function inTime(telling: Promise<void>, tellWithin: Duration): Promise<void> {
  const told = await within(
    tellWithin,
    telling.then(() => true),
  );
  if (told === null) throw new Error(`It took longer than ${tellWithin} ms.`);
}

async function tell(context: ActivityContext, message: ClaimedMessage): Promise<void> {
  if (message.kind === 'escalated') return escalate(context, message);
  const { tenant, sessionId, taskQueue, maxSteps, isOpened } = message;
  // Not through a session of ours: nobody is there to be told.
  if (!isOpened) return clearMessage(context.database, message);
  // The session clears it when it has made a turn of it.
  await context.wakeSession({ tenant, sessionId, taskQueue, maxSteps });
}

async function escalate({ database, ledger, onEscalated }: ActivityContext, message: ClaimedMessage): Promise<void> {
  const { tenant, operationId, version } = message;
  const { events } = await ledger.load({ tenant, operationId });
  const operation = fold(events);
  // It was settled before anybody was called.
  if (operation?.state === 'escalated') {
    const { tool, provider, reason, externalId, customers } = operation;
    await onEscalated({
      key: `${tenant}/${operationId}/${version}`,
      tenant,
      operationId,
      tool,
      provider,
      reason: reason ?? '',
      externalId,
      customers,
      at: events[version - 1]?.at ?? 0,
    });
  }
  await clearMessage(database, message);
}
