import type { OrderLine } from '../shop/order';
import type { FoundOrder } from './found-order';

/** What shall be refunded, as the agent understood it. */
export interface Wish {
  readonly of: 'line' | 'request';
  readonly id: string;
  /** How it is called before the customer. */
  readonly title: string;
  readonly amount: number;
  /** Pieces of the line; all of them if left out. */
  readonly quantity?: number;
}

/** One wish for each line of the order that never shipped. */
export function missingLines({ lines }: FoundOrder): Wish[] {
  return lines.filter((line) => !line.shipped).map((line) => lineWish(line));
}

function lineWish({ id, title, amount }: OrderLine): Wish {
  return { of: 'line', id, title, amount };
}
