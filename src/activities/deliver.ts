import { markDelivered, readUndelivered } from '../conversations/follow-ups';
import type { DeliverInput } from './activity-inputs';
import type { ActivityContext } from './context';

/** The hook `deliver` threw. The message may have been taken; it is handed over again, under the same ID. */
export class DeliveryFailedError extends Error {
  readonly code = 'SENDONCE_DELIVERY_FAILED';
  override readonly name = 'DeliveryFailedError';
  constructor(
    readonly messageId: string,
    override readonly cause: unknown,
  ) {
    super(`The hook deliver did not take ${messageId}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** Hands what a follow-up told to the hook, at least once. */
export async function deliver({ database, deliver: hook }: ActivityContext, turn: DeliverInput): Promise<void> {
  const message = await readUndelivered(database, turn);
  if (message === null) return;
  try {
    await hook?.(message);
  } catch (error) {
    // Whatever it threw, a failure that says "do not repeat" included: only success ends it.
    throw new DeliveryFailedError(message.messageId, error);
  }
  await markDelivered(database, turn, [turn.turn]);
}
