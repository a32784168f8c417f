import type { ScriptedAnswer, ScriptResult } from '../../testing/scripted-model';
import type { FoundOrder } from './found-order';
import type { Wish } from './wish';

export type ToolCall = NonNullable<ScriptedAnswer['calls']>[number];

/** The tool the agent refunds with, and what it makes of a wish. */
export interface RefundTool {
  /** The names it may go by. */
  readonly names: readonly string[];
  /** One call; a model words it anew each time. `asked`: how often it asked before. */
  call(order: FoundOrder, wish: Wish, asked: number): ToolCall;
  /** The number of the wish's refund, if this result tells that it is done. */
  doneNumber(result: ScriptResult, order: FoundOrder, wish: Wish): string | null;
  /** What the customer is told, if this result says that asking again is no use. */
  refusal(result: ScriptResult, order: FoundOrder, wish: Wish): string | null;
}

const WORDS = ['never shipped', 'the case did not arrive', 'missing from the parcel'];

/** How the agent uses the shop's tools. */
export const GUARDED: RefundTool = {
  names: ['refund_line_item', 'refund_request'],
  call: ({ orderId }, { of, id, quantity }, asked) =>
    of === 'request'
      ? { tool: 'refund_request', input: { orderId, requestId: id } }
      : { tool: 'refund_line_item', input: { orderId, lineItemId: id, quantity, reason: WORDS[asked % WORDS.length] } },
  doneNumber: (result, order, wish) =>
    !result.isError && isAbout(result, order, wish) ? (/number (re_\w+)/.exec(result.text)?.[1] ?? null) : null,
  refusal: (result, order, wish) => {
    if (!isAbout(result, order, wish)) return null;
    if (result.text.startsWith('Rejected:')) return 'was refused: nothing was paid back.';
    if (result.text.startsWith('Conflict:')) return 'cannot be made: there is one of another quantity already.';
    return null;
  },
};

/** How it uses the tool as commonly written: payment intent and amount come from the model. */
export const NAIVE: RefundTool = {
  names: ['create_refund'],
  call: ({ paymentIntent }, { amount }) => ({
    tool: 'create_refund',
    input: { payment_intent: paymentIntent, amount },
  }),
  doneNumber: ({ text }) => /re_\w+/.exec(text)?.[0] ?? null,
  // "Please try again" is all it ever says.
  refusal: () => null,
};

function isAbout({ text }: ScriptResult, { orderId }: FoundOrder, { id }: Wish): boolean {
  return new RegExp(`refund-${orderId}-${id}[ ,.]`).test(text);
}
