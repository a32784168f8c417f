import type { Script, ScriptedAnswer, ScriptResult, ScriptView } from '../../testing/scripted-model';
import { formatAmount, type OrderLine } from '../shop/order';

/** How the demo's agent asks for refunds. */
export type Asking =
  /** The missing line, again for as long as it does not hear that it is done. */
  | 'one-line'
  /** The same line twice in one step. */
  | 'twice-at-once'
  /** Every missing line, in one step. */
  | 'every-line';

/** The tool the agent refunds with, and what it makes of an order. */
export interface RefundTool {
  readonly name: string;
  /** The arguments; a model words them anew each time. */
  input(order: FoundOrder, line: OrderLine, attempt: number): unknown;
  /** The number of the line's refund, if this result tells that it is done. */
  doneNumber(result: ScriptResult, order: FoundOrder, line: OrderLine): string | null;
}

/** An order as `find_order` tells it. */
export interface FoundOrder {
  readonly orderId: string;
  readonly currency: string;
  readonly paymentIntent: string;
  readonly lines: readonly OrderLine[];
}

/** An eager model asks this often, and then tells the customer what it was told. */
const TRIES = 3;

/**
 * A support agent as models are: it looks up, agrees with the customer, calls the refund, and when the tool does not
 * say that it is done, calls again in other words. It knows only what it is shown.
 */
export function eagerAgent(asking: Asking, tool: RefundTool): Script {
  return (view) => {
    const order = foundOrder(view);
    if (!order)
      return { calls: [{ tool: 'find_order', input: { orderId: /\d+/.exec(view.said.join(' '))?.[0] ?? '' } }] };
    const missing = order.lines.filter((line) => !line.shipped);
    if (view.said.length === 1) return offer(order, missing);
    const lines = asking === 'every-line' ? missing : missing.slice(0, 1);
    const results = view.results.filter((result) => result.tool === tool.name && result.turn === view.said.length);
    const numbers = lines.map((line) => firstNumber(results, (result) => tool.doneNumber(result, order, line)));
    const open = lines.filter((_line, index) => numbers[index] === null);
    if (open.length === 0) return { text: lines.map((line, index) => doneText(order, line, numbers[index])).join(' ') };
    const calls = open.map((line) => ({ tool: tool.name, input: tool.input(order, line, results.length) }));
    if (asking === 'twice-at-once' && results.length === 0) return { calls: [...calls, ...calls] };
    if (results.length >= TRIES * lines.length) {
      return { text: 'Your original request is being confirmed. You will hear from us.' };
    }
    return { calls };
  };
}

function offer(order: FoundOrder, missing: readonly OrderLine[]): ScriptedAnswer {
  const names = missing.map((line) => `the ${line.title} (${formatAmount(line.amount, order.currency)})`).join(' and ');
  return { text: `I am sorry: ${names} of order ${order.orderId} never shipped. Shall I refund that?` };
}

function doneText(order: FoundOrder, line: OrderLine, number: string | null | undefined): string {
  return `Your ${formatAmount(line.amount, order.currency)} refund for the ${line.title} is done: ${number ?? ''}.`;
}

function firstNumber(
  results: readonly ScriptResult[],
  numberOf: (result: ScriptResult) => string | null,
): string | null {
  for (const result of results) {
    const number = numberOf(result);
    if (number !== null) return number;
  }
  return null;
}

function foundOrder({ results }: ScriptView): FoundOrder | null {
  const found = results.findLast((result) => result.tool === 'find_order' && !result.isError);
  return found ? (JSON.parse(found.text) as FoundOrder) : null;
}
