/** An order of the demo's shop. Amounts are in minor units: 38000 TWD are 380.00. */
export interface Order {
  readonly id: string;
  readonly customer: string;
  readonly paymentIntent: string;
  readonly currency: string;
  readonly lines: readonly OrderLine[];
}

export interface OrderLine {
  readonly id: string;
  readonly title: string;
  readonly quantity: number;
  /** For the whole line. */
  readonly amount: number;
  readonly shipped: boolean;
}

export function formatAmount(amount: number, currency: string): string {
  return `${(amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })} ${currency.toUpperCase()}`;
}
