import type { Chat } from './chats';
import type { Stage } from './stage';

/** A run's course: it ends when all is said, and nothing is under way any more. */
export type Talk = (stage: Stage) => Promise<void>;

export interface Disturbance {
  /** Once the customer is about to agree. */
  readonly before?: (stage: Stage) => Promise<void> | void;
  /** Beside the turn in which the refund is made; not with the tool as commonly written, which has no such moments. */
  readonly during?: (stage: Stage) => Promise<void>;
}

/** The usual talk: the customer asks, and agrees to what the agent offers. */
export function askAndAgree({ before, during }: Disturbance = {}): Talk {
  return async (stage) => {
    const chat = stage.open();
    await ask(chat, stage);
    await before?.(stage);
    await Promise.all([chat.say('Yes, please.'), stage.guarded ? during?.(stage) : undefined]);
  };
}

/** The customer asks for what never came. */
export async function ask(chat: Chat, { order }: Stage): Promise<void> {
  const missing = order.lines.filter((line) => !line.shipped).map((line) => line.title);
  await chat.say(`The ${missing.join(' and the ')} of order ${order.id} never came. Can I have my money back?`);
}
