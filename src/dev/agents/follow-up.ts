import type { ScriptView } from '../../testing/scripted-model';
import { formatAmount } from '../shop/order';
import { foundOrder } from './found-order';

/** The refund of a line, by the ID that the shop gives it. Customers write no such IDs, so it tells who speaks. */
const OPERATION = /\brefund-\d+-(\w+)/;

/** Whether the toolkit tells what became of an operation, and not the customer something. */
export function isFollowUp(text: string): boolean {
  return OPERATION.test(text);
}

/** What the agent makes of the news for the customer. It knows the amount from the order that it looked up. */
export function followUpText(news: string, view: ScriptView): string {
  const order = foundOrder(view);
  const [, lineId = ''] = OPERATION.exec(news) ?? [];
  const line = order?.lines.find(({ id }) => id === lineId);
  const refund = order && line ? `${formatAmount(line.amount, order.currency)} refund` : 'refund';
  const [, number] = /\bnumber (re_\w+)/.exec(news) ?? [];
  return number === undefined
    ? `I am sorry: your ${refund} did not take place, and nothing was paid back.`
    : `Your ${refund} ${number} is done.`;
}
