import { z } from 'zod';
import type { EffectStatus } from '../../operations/evidence';
import type { ExpectedRefund } from './expected-refund';

/** `re_…`, and `pyr_…` for payment methods that are no cards. */
export const REFUND_ID = /^[a-z]+_\w{1,250}$/;

/** The part of Stripe's refund object that we judge by (docs.stripe.com/api/refunds/object). */
export const refundShape = z.object({
  id: z.string().regex(REFUND_ID),
  object: z.literal('refund'),
  amount: z.number(),
  currency: z.string(),
  payment_intent: z.string().nullish(),
  status: z.string().nullable(),
  metadata: z.looseObject({ op_id: z.string().optional(), op_key: z.string().optional() }).nullish(),
  failure_reason: z.string().nullish(),
  pending_reason: z.string().nullish(),
});

export type RefundObject = z.infer<typeof refundShape>;

/** Null for anything that is no well-formed refund. */
export function readRefund(json: unknown): RefundObject | null {
  return refundShape.safeParse(json).data ?? null;
}

/**
 * Stripe's five statuses (docs/providers/stripe.md), null for one that is not listed: then nobody can say what it means.
 * `canceled` is the end of a refund that waited for the customer, and like `failed` it ended without the money moved.
 */
export function effectStatus({ status }: RefundObject): EffectStatus | null {
  switch (status) {
    case 'succeeded':
      return 'succeeded';
    case 'pending':
    case 'requires_action':
      return 'pending';
    case 'failed':
    case 'canceled':
      return 'failed';
    default:
      return null;
  }
}

/** Null where target, amount and currency are the expected ones, else what differs, to follow "it bears our ID but". */
export function targetMismatch(refund: RefundObject, expected: ExpectedRefund): string | null {
  return phrase([
    ['payment', refund.payment_intent ?? null, expected.paymentIntent],
    ['amount', refund.amount, expected.amount],
    ['currency', refund.currency, expected.currency],
  ]);
}

/** The same for our marks, which a refund of ours bears from the beginning. */
export function markMismatch(
  refund: RefundObject,
  expected: Pick<ExpectedRefund, 'operationId'> & { readonly key: string | null },
): string | null {
  const { op_id, op_key } = refund.metadata ?? {};
  return phrase([
    ['op_id', op_id ?? null, expected.operationId],
    ...(expected.key === null ? [] : [['op_key', op_key ?? null, expected.key] as const]),
  ]);
}

type Comparison = readonly [name: string, found: string | number | null, expected: string | number];

function phrase(comparisons: readonly Comparison[]): string | null {
  const different = comparisons.filter(([, found, expected]) => found !== expected);
  if (different.length === 0) return null;
  return different.map(([name, found, expected]) => `its ${name} is ${found ?? 'missing'}, not ${expected}`).join(', ');
}
