import { Fields } from './fields';
import type { Form } from './form';
import type { Payment } from './payment';
import { invalidRequest, resourceMissing } from './refusal-error';
import type { Store } from './store';

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;
/** Stripe's limits of metadata. */
const METADATA_KEYS = 50;
const METADATA_KEY_LENGTH = 40;
const METADATA_VALUE_LENGTH = 500;

export interface RefundParams {
  readonly payment: Payment;
  /** Null asks for whatever is left. */
  readonly amount: number | null;
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Everything that is checked before the endpoint begins, so that no refusal in here is stored with the key. The
 * parameters of Connect (`reverse_transfer` and the like) and `expand` are not served, and refused as unknown.
 */
export function readRefundParams(form: Form, account: string, store: Store): RefundParams {
  const fields = new Fields(form);
  const paymentIntent = fields.text('payment_intent');
  const charge = fields.text('charge');
  const amount = fields.integer('amount', 1, Number.MAX_SAFE_INTEGER);
  const reason = fields.oneOf('reason', REASONS);
  const metadata = fields.map('metadata');
  fields.refuseOthers();
  checkMetadata(metadata);
  if (paymentIntent !== null && charge !== null) {
    throw invalidRequest('Give only one of these parameters: charge, payment_intent.');
  }
  return { payment: findTarget(paymentIntent, charge, account, store), amount, reason, metadata };
}

/** The payment behind a `payment_intent` or `charge` parameter, if it belongs to this account. */
export function findTarget(intent: string | null, charge: string | null, account: string, store: Store): Payment {
  const id = intent ?? charge;
  if (id === null) {
    throw invalidRequest('One of these parameters must be given: charge, payment_intent.', {
      code: 'parameter_missing',
    });
  }
  const payment = store.payment(id);
  const kind = intent !== null ? 'payment_intent' : 'charge';
  const itself = intent !== null ? payment?.id : payment?.charge;
  if (payment === null || payment.account !== account || itself !== id) throw resourceMissing(kind, id, kind);
  return payment;
}

function checkMetadata(metadata: Readonly<Record<string, string>>): void {
  const entries = Object.entries(metadata);
  if (entries.length > METADATA_KEYS) {
    throw invalidRequest(`Metadata can have up to ${METADATA_KEYS} keys.`, { param: 'metadata' });
  }
  for (const [key, value] of entries) {
    // Stripe counts characters, and a character outside the basic plane is one of them.
    if ([...key].length > METADATA_KEY_LENGTH) {
      throw invalidRequest(`Metadata keys can have up to ${METADATA_KEY_LENGTH} characters.`, { param: 'metadata' });
    }
    if ([...value].length > METADATA_VALUE_LENGTH) {
      throw invalidRequest(`Metadata values can have up to ${METADATA_VALUE_LENGTH} characters.`, {
        param: `metadata[${key}]`,
      });
    }
  }
}
