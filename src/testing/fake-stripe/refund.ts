import type { JsonObject } from './answer';

export type RefundStatus = 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';

/** What can change about a refund, from `at` on. */
export interface RefundVersion {
  readonly at: number;
  readonly status: RefundStatus;
  /** Why it failed, or why it is pending; null in the other states. */
  readonly reason: string | null;
}

export interface Refund {
  readonly id: string;
  readonly account: string;
  readonly paymentIntent: string;
  readonly charge: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The idempotency key it was made under, null without one or by hand. */
  readonly key: string | null;
  readonly requestId: string;
  readonly byHand: boolean;
  readonly createdAt: number;
  /** Oldest first, never empty. All are kept, so that a lagging query can be answered with an old one. */
  readonly versions: readonly RefundVersion[];
}

export function currentVersion(refund: Refund): RefundVersion {
  const version = refund.versions.at(-1);
  if (version === undefined) throw new Error(`Bug: refund ${refund.id} has no version.`);
  return version;
}

/** The refund as it was at that moment, null before it was made. */
export function versionAt(refund: Refund, at: number): RefundVersion | null {
  return refund.versions.findLast((version) => version.at <= at) ?? null;
}

/** A failed or canceled refund gives its amount back to the payment; every other state keeps it. */
export function keepsAmount(status: RefundStatus): boolean {
  return status !== 'failed' && status !== 'canceled';
}

export function refundObject(refund: Refund, version: RefundVersion): JsonObject {
  const transaction = `txn_${refund.id.slice(3)}`;
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: version.status === 'requires_action' ? null : transaction,
    charge: refund.charge,
    created: Math.floor(refund.createdAt / 1_000),
    currency: refund.currency,
    metadata: refund.metadata,
    payment_intent: refund.paymentIntent,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: version.status,
    transfer_reversal: null,
    ...(version.status === 'failed' && {
      failure_balance_transaction: `${transaction}_failure`,
      failure_reason: version.reason ?? 'unknown',
    }),
    ...(version.status === 'pending' && { pending_reason: version.reason ?? 'processing' }),
    ...(version.status === 'requires_action' && { next_action: { type: 'display_details' } }),
  };
}
