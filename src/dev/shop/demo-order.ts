import type { Order, OrderLine } from './order';

export const SHOP_TENANT = 'shop';
export const CUSTOMER = 'customer-77';

/** Minor units: 1,580.00 TWD in all. Stripe counts TWD with two decimals. */
const CASE_AMOUNT = 38_000;
const TOTAL = 158_000;
export const CURRENCY = 'twd';

/** A line that was paid for and never shipped. */
export type MissingLine = Pick<OrderLine, 'title' | 'quantity'>;

export const ONE_CASE: readonly MissingLine[] = [{ title: 'earphone case', quantity: 1 }];
export const TWO_CASES: readonly MissingLine[] = [...ONE_CASE, { title: 'charging case', quantity: 1 }];
export const PAIR_OF_CASES: readonly MissingLine[] = [{ title: 'earphone cases', quantity: 2 }];
export const NOTHING_MISSING: readonly MissingLine[] = [];

/** Earphones, which came, and what never shipped. Each missing line is of the same amount. */
export function demoOrder(id: string, paymentIntent: string, missing: readonly MissingLine[]): Order {
  const lines: OrderLine[] = [
    { id: 'li_1', title: 'earphones', quantity: 1, amount: TOTAL - CASE_AMOUNT * missing.length, shipped: true },
    ...missing.map(({ title, quantity }, index) => ({
      id: `li_${index + 2}`,
      title,
      quantity,
      amount: CASE_AMOUNT,
      shipped: false,
    })),
  ];
  return { id, customer: CUSTOMER, paymentIntent, currency: CURRENCY, lines };
}

export function totalOf({ lines }: Order): number {
  return lines.reduce((sum, line) => sum + line.amount, 0);
}
