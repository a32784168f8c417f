import type { Script } from '../../../testing/scripted-model';
import type { RefundTool } from '../refund-tool';

/** An agent that looks nothing up: it asks for the line and the order that the customer names, and passes on the answer. */
export function asTold(tool: RefundTool): Script {
  return ({ said, results }) => {
    const [, lineId = '', orderId = ''] = /line (\S+) of order (\d+)/.exec(said.join(' ')) ?? [];
    const answer = results.findLast((result) => tool.names.includes(result.tool));
    if (answer) {
      return { text: answer.isError ? `I am sorry, I cannot find your order ${orderId}.` : answer.text };
    }
    const order = { orderId, currency: '', paymentIntent: '', lines: [] };
    const wish = { of: 'line', id: lineId, title: lineId, amount: 0 } as const;
    return { calls: [tool.call(order, wish, 0)] };
  };
}
