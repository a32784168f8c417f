import type { ScriptView } from '../../testing/scripted-model';
import type { OrderLine } from '../shop/order';

/** An order as `find_order` tells it. */
export interface FoundOrder {
  readonly orderId: string;
  readonly currency: string;
  readonly paymentIntent: string;
  readonly lines: readonly OrderLine[];
}

export function foundOrder({ results }: ScriptView): FoundOrder | null {
  const found = results.findLast((result) => result.tool === 'find_order' && !result.isError);
  return found ? (JSON.parse(found.text) as FoundOrder) : null;
}
