import type { JsonObject } from './answer';

/** A payment intent that succeeded, with its one charge. Part of the set-up: it is never counted as an effect. */
export interface Payment {
  readonly id: string;
  readonly charge: string;
  /** The connected account, or `''` for the key's own. */
  readonly account: string;
  /** Minor units of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly createdAt: number;
}

export function paymentIntentObject(payment: Payment): JsonObject {
  return {
    id: payment.id,
    object: 'payment_intent',
    amount: payment.amount,
    amount_capturable: 0,
    amount_received: payment.amount,
    capture_method: 'automatic',
    created: Math.floor(payment.createdAt / 1_000),
    currency: payment.currency,
    latest_charge: payment.charge,
    livemode: false,
    metadata: {},
    status: 'succeeded',
  };
}

/** `amountRefunded` counts what is refunded or on its way; a failed or canceled refund is not in it. */
export function chargeObject(payment: Payment, amountRefunded: number): JsonObject {
  return {
    id: payment.charge,
    object: 'charge',
    amount: payment.amount,
    amount_captured: payment.amount,
    amount_refunded: amountRefunded,
    captured: true,
    created: Math.floor(payment.createdAt / 1_000),
    currency: payment.currency,
    livemode: false,
    metadata: {},
    paid: true,
    payment_intent: payment.id,
    refunded: amountRefunded === payment.amount,
    status: 'succeeded',
  };
}
