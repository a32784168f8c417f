import type { FoundEffect } from '../../operations/evidence';
import type { ExpectedRefund } from './expected-refund';
import { effectStatus, markMismatch, type RefundObject, targetMismatch } from './refund-object';

/** A found effect, or why it cannot be told as one. */
export type Effect = FoundEffect | string;

/**
 * A refund compared with a stored request. `keys`: of all generations. `provenKey`: the key an event proved, which makes
 * up for marks that are gone, but not for another operation's.
 *
 * The target is compared where the refund is this request's. Another generation of ours had a request of its own, and
 * its amount may differ by right; that a refund of it exists is told all the same.
 */
export function foundEffect(
  refund: RefundObject,
  ours: { readonly expected: ExpectedRefund; readonly keys: readonly string[]; readonly provenKey: string | null },
): Effect {
  const { expected, keys, provenKey } = ours;
  const { id: externalId, metadata } = refund;
  const status = effectStatus(refund);
  if (status === null) return `The refund ${externalId} has the status ${String(refund.status)}, which is not known.`;
  const key = provenKey ?? metadata?.op_key ?? null;
  const unmarked = provenKey !== null && metadata?.op_id === undefined;
  const ofAnother = key !== null && key !== expected.key && keys.includes(key);
  const mismatches = [
    ofAnother ? null : targetMismatch(refund, expected),
    unmarked ? null : markMismatch(refund, { ...expected, key: null }),
  ];
  const mismatch = mismatches.filter((text) => text !== null).join(', ') || null;
  return { externalId, status, key, mismatch };
}
