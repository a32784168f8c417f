import type { StoredRequest } from '../../operations/request';
import { decodeForm } from './form';
import { MARK_NAMES, REFUND_PATH } from './refund-request';

/** What a refund must be to be ours: read back from the stored request, since nothing is computed a second time. */
export interface ExpectedRefund {
  readonly paymentIntent: string;
  /** In the currency's minor unit. */
  readonly amount: number;
  readonly currency: string;
  readonly operationId: string;
  readonly key: string;
}

/** Null for a stored request that is none of ours: nothing may be sent or concluded from it. */
export function expectedRefund(request: StoredRequest): ExpectedRefund | null {
  if (request.path !== REFUND_PATH) return null;
  const fields = decodeForm(request.body);
  if (fields === null) return null;
  const field = (name: string) => fields.get(name) ?? '';
  const expected: ExpectedRefund = {
    paymentIntent: field('payment_intent'),
    amount: /^[1-9]\d{0,15}$/.test(field('amount')) ? Number(field('amount')) : Number.NaN,
    currency: field(`metadata[${MARK_NAMES.currency}]`),
    operationId: field(`metadata[${MARK_NAMES.operationId}]`),
    key: field(`metadata[${MARK_NAMES.key}]`),
  };
  const { amount, ...texts } = expected;
  return Number.isSafeInteger(amount) && Object.values(texts).every((text) => text !== '') ? expected : null;
}
