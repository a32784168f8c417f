import type { Fact } from './fact';
import { newId } from './new-id';
import type { Refund, RefundVersion } from './refund';
import { keepsAmount } from './refund';
import type { RefundParams } from './refund-params';
import { invalidRequest } from './refusal-error';
import type { Store } from './store';
import { eventsOfNewRefund } from './stripe-event';

export interface RefundOrigin {
  readonly key: string | null;
  readonly requestId: string;
  readonly byHand: boolean;
}

/**
 * The endpoint itself: what a refund is, and the refusals of the business. Nothing is changed before the facts are
 * committed, which the caller does in the same tick: so two requests never both take the last of a payment.
 */
export function makeRefund(
  store: Store,
  params: RefundParams,
  outcome: Pick<RefundVersion, 'status' | 'reason'>,
  origin: RefundOrigin,
): { refund: Refund; facts: Fact[] } {
  const { payment } = params;
  const refunded = store.amountRefunded(payment);
  const left = payment.amount - refunded;
  if (left === 0) {
    throw invalidRequest(`Charge ${payment.charge} has already been refunded.`, { code: 'charge_already_refunded' });
  }
  const amount = params.amount ?? left;
  if (amount > left) {
    // Stripe sends no code with this one: clients go by these words.
    const whole = left === payment.amount ? 'charge amount' : 'unrefunded amount on charge';
    const inWords = (minorUnits: number) => `(${minorUnits} ${payment.currency}, minor units)`;
    throw invalidRequest(`Refund amount ${inWords(amount)} is greater than ${whole} ${inWords(left)}`, {
      param: 'amount',
    });
  }
  const at = store.now();
  const refund: Refund = {
    id: newId('re'),
    account: payment.account,
    paymentIntent: payment.id,
    charge: payment.charge,
    amount,
    currency: payment.currency,
    reason: params.reason,
    metadata: params.metadata,
    createdAt: at,
    versions: [{ at, ...outcome }],
    ...origin,
  };
  const after = keepsAmount(outcome.status) ? refunded + amount : refunded;
  const events = eventsOfNewRefund(refund, payment, after);
  return {
    refund,
    facts: [{ kind: 'refund-made', refund }, ...events.map((event): Fact => ({ kind: 'event-made', event }))],
  };
}
