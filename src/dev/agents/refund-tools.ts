import type { RefundTool } from './eager-agent';

const WORDS = ['never shipped', 'the case did not arrive', 'missing from the parcel'];

/** How the agent uses the shop's tool. */
export const GUARDED: RefundTool = {
  name: 'refund_line_item',
  input: ({ orderId }, { id }, attempt) => ({ orderId, lineItemId: id, reason: WORDS[attempt % WORDS.length] }),
  doneNumber: ({ isError, text }, { orderId }, { id }) =>
    !isError && text.includes(`refund-${orderId}-${id},`) ? (/number (re_\w+)/.exec(text)?.[1] ?? null) : null,
};

/** How it uses the tool as commonly written: payment intent and amount come from the model. */
export const NAIVE: RefundTool = {
  name: 'create_refund',
  input: ({ paymentIntent }, { amount }) => ({ payment_intent: paymentIntent, amount }),
  doneNumber: ({ text }) => /re_\w+/.exec(text)?.[0] ?? null,
};
