import type { Script, ScriptResult, ScriptView } from '../../testing/scripted-model';
import { formatAmount } from '../shop/order';
import { followUpText, isFollowUp } from './follow-up';
import { type FoundOrder, foundOrder } from './found-order';
import type { RefundTool, ToolCall } from './refund-tool';
import type { Wish } from './wish';

/** A way of asking for refunds. It goes by nothing but what a model is shown. */
export interface Asking {
  /** What the agent answers when it has looked the order up. */
  offer(order: FoundOrder): string;
  /** What shall be refunded, once the customer has answered. */
  wishes(order: FoundOrder, view: ScriptView): readonly Wish[];
  /** The calls for one wish in one step. `asked`: how often the agent asked for refunds before. */
  calls(tool: RefundTool, order: FoundOrder, wish: Wish, asked: number): readonly ToolCall[];
  /** How often it asks after one message before it tells the customer what it was told; three times unless given. */
  readonly tries?: number;
}

/** As eager models do. */
const TRIES = 3;

/**
 * A support agent as models are: it looks up, agrees with the customer, calls the refund, and when the tool does not
 * say that it is done, calls again in other words. It knows only what it is shown, and forgets from one message of the
 * customer to the next what it did.
 */
export function eagerAgent(asking: Asking, tool: RefundTool): Script {
  return (view) => {
    const last = view.said.at(-1) ?? '';
    if (isFollowUp(last)) return { text: followUpText(last, view) };
    const order = foundOrder(view);
    if (!order)
      return { calls: [{ tool: 'find_order', input: { orderId: /\d+/.exec(view.said.join(' '))?.[0] ?? '' } }] };
    if (view.said.filter((text) => !isFollowUp(text)).length === 1) return { text: asking.offer(order) };
    const asked = view.results.filter((result) => tool.names.includes(result.tool));
    const results = asked.filter(({ turn }) => turn === view.said.length);
    const wishes = asking.wishes(order, view);
    const told = wishes.map((wish) => verdictOf(results, tool, order, wish));
    if (told.every((text) => text !== null)) return { text: told.join(' ') };
    if (results.length >= (asking.tries ?? TRIES) * wishes.length) {
      return { text: 'Your original request is being confirmed. You will hear from us.' };
    }
    const open = wishes.filter((_wish, index) => told[index] === null);
    return { calls: repeated(open.map((wish) => asking.calls(tool, order, wish, asked.length))) };
  };
}

/** What the customer is told of a wish; null while the agent would ask again. */
function verdictOf(results: readonly ScriptResult[], tool: RefundTool, order: FoundOrder, wish: Wish): string | null {
  const refund = `${formatAmount(wish.amount, order.currency)} refund for the ${wish.title}`;
  const number = first(results, (result) => tool.doneNumber(result, order, wish));
  if (number !== null) return `Your ${refund} is done: ${number}.`;
  const refusal = first(results, (result) => tool.refusal(result, order, wish));
  return refusal === null ? null : `I am sorry: your ${refund} ${refusal}`;
}

function first(results: readonly ScriptResult[], read: (result: ScriptResult) => string | null): string | null {
  for (const result of results) {
    const found = read(result);
    if (found !== null) return found;
  }
  return null;
}

/** Every wish once, then those again that are called for twice. */
function repeated(calls: readonly (readonly ToolCall[])[]): ToolCall[] {
  const rounds = Math.max(...calls.map((own) => own.length));
  return Array.from({ length: rounds }, (_, round) => calls.flatMap((own) => own[round] ?? [])).flat();
}
