import type { Fact } from './fact';
import { currentVersion, type RefundStatus } from './refund';
import type { Store } from './store';
import { eventsOfChangedRefund } from './stripe-event';

/**
 * What may follow what. A succeeded refund can still fail: the bank returns the money, up to 30 days later. Nothing
 * follows a failed or canceled one.
 */
const FOLLOWS: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  pending: ['requires_action', 'succeeded', 'failed', 'canceled'],
  requires_action: ['pending', 'succeeded', 'failed', 'canceled'],
  succeeded: ['failed'],
  failed: [],
  canceled: [],
};

/** A command for a refund that does not exist, or to a status that cannot follow its present one. */
export class RefundChangeError extends Error {
  readonly code = 'FAKE_STRIPE_REFUND_CHANGE';
  override readonly name = 'RefundChangeError';
}

export function changeRefund(store: Store, id: string, status: RefundStatus, reason: string | null): Fact[] {
  const refund = store.refund(id);
  if (refund === null) throw new RefundChangeError(`There is no refund ${id}.`);
  const previous = currentVersion(refund).status;
  if (!FOLLOWS[previous].includes(status)) {
    throw new RefundChangeError(`Refund ${id} is ${previous}; it cannot become ${status}.`);
  }
  const version = { at: store.now(), status, reason };
  const changed = { ...refund, versions: [...refund.versions, version] };
  const events = eventsOfChangedRefund(changed, previous);
  return [{ kind: 'refund-changed', id, version }, ...events.map((event): Fact => ({ kind: 'event-made', event }))];
}
