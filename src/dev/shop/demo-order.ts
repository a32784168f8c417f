import type { Order, OrderLine } from './order';

export const SHOP_TENANT = 'shop';
export const CUSTOMER = 'customer-77';

/** Minor units: 1,580.00 TWD in all. Stripe counts TWD with two decimals. */
const CASE_AMOUNT = 38_000;
const TOTAL = 158_000;
export const CURRENCY = 'twd';

/** Earphones and a case, or two: what never shipped is the cases. */
export function demoOrder(id: string, paymentIntent: string, missingLines: 1 | 2): Order {
  const cases = ['earphone case', 'charging case'].slice(0, missingLines);
  const lines: OrderLine[] = [
    { id: 'li_1', title: 'earphones', quantity: 1, amount: TOTAL - CASE_AMOUNT * missingLines, shipped: true },
    ...cases.map((title, index) => ({
      id: `li_${index + 2}`,
      title,
      quantity: 1,
      amount: CASE_AMOUNT,
      shipped: false,
    })),
  ];
  return { id, customer: CUSTOMER, paymentIntent, currency: CURRENCY, lines };
}

export function totalOf({ lines }: Order): number {
  return lines.reduce((sum, line) => sum + line.amount, 0);
}
