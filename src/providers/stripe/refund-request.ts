import { RefusedError } from '../../operations/refused-error';
import type { StoredRequest } from '../../operations/request';
import type { EffectMark } from '../provider';
import { encodeForm } from './form';

/** What `request` of an operation gives: one refund of (a part of) one payment. */
export interface StripeRefundRequest {
  /** The payment's ID, `pi_…`. */
  readonly paymentIntent: string;
  /** In the currency's minor unit: a whole number above zero, 1234 for USD 12.34 and for JPY 1234. */
  readonly amount: number;
  /**
   * Three letters, written down in lower case as Stripe does. Stripe takes no currency for a refund (it is the
   * payment's): this is the one that is expected, and a refund in another one is never taken for ours.
   */
  readonly currency: string;
  readonly reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer';
  /** Your own notes on the refund. Names beginning with `op_` are ours. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export const REFUND_PATH = 'POST /v1/refunds';

/** Metadata we put on every refund: the operation, the key, and the currency that Stripe has no parameter for. */
export const MARK_NAMES = { operationId: 'op_id', key: 'op_key', currency: 'op_currency' } as const;
const RESERVED_PREFIX = 'op_';

const REASONS: readonly string[] = ['duplicate', 'fraudulent', 'requested_by_customer'];

/** Stripe's limits of metadata (docs.stripe.com/api/metadata), and of the key (docs/providers/stripe.md). */
const METADATA_KEYS = 50;
const METADATA_KEY_LENGTH = 40;
const METADATA_VALUE_LENGTH = 500;
const KEY_LENGTH = 255;

/**
 * Writes the request down as the text that is stored and sent. Throws RefusedError for what Stripe would refuse or,
 * worse, read as something else: a missing amount refunds the whole payment.
 */
export function encodeRefund(
  request: StripeRefundRequest,
  mark: EffectMark,
  to: { readonly account: string; readonly version: string },
): StoredRequest {
  checkPaymentIntent(request.paymentIntent);
  checkAmount(request.amount);
  checkCurrency(request.currency);
  checkReason(request.reason);
  const metadata = Object.entries(request.metadata ?? {});
  checkMetadata(metadata);
  checkMark(mark);
  const marks: [string, string][] = [
    [MARK_NAMES.operationId, mark.operationId],
    [MARK_NAMES.key, mark.key],
    [MARK_NAMES.currency, request.currency.toLowerCase()],
  ];
  const fields: [string, string][] = [
    ['payment_intent', request.paymentIntent],
    ['amount', String(request.amount)],
    ...(request.reason === undefined ? [] : [['reason', request.reason] as [string, string]]),
    ...[...marks, ...metadata].map(([name, value]): [string, string] => [`metadata[${name}]`, value]),
  ];
  return { account: to.account, path: REFUND_PATH, version: to.version, body: encodeForm(fields) };
}

function checkPaymentIntent(id: string): void {
  if (typeof id === 'string' && id.includes('_secret_')) {
    throw new RefusedError('The payment must be named by its ID, not by its client secret.');
  }
  if (typeof id !== 'string' || !/^pi_\w{1,250}$/.test(id)) {
    throw new RefusedError(`The payment's ID must be a Stripe payment intent (pi_…), not ${show(id)}.`);
  }
}

function checkAmount(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount <= 0) {
    throw new RefusedError(
      `The refund's amount must be a whole number above zero in the currency's minor unit, not ${show(amount)}.`,
    );
  }
}

function checkCurrency(currency: string): void {
  if (typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency)) {
    throw new RefusedError(`The currency must be three letters (eur), not ${show(currency)}.`);
  }
}

function checkReason(reason: string | undefined): void {
  if (reason !== undefined && !REASONS.includes(reason)) {
    throw new RefusedError(`The reason must be one of ${REASONS.join(', ')}, not ${show(reason)}.`);
  }
}

function checkMetadata(entries: readonly [string, string][]): void {
  const room = METADATA_KEYS - Object.keys(MARK_NAMES).length;
  if (entries.length > room) {
    throw new RefusedError(`The metadata has ${entries.length} entries; there is room for ${room}.`);
  }
  for (const [name, value] of entries) {
    if (name.startsWith(RESERVED_PREFIX)) {
      throw new RefusedError(`The metadata name ${show(name)} is reserved: names beginning with op_ are ours.`);
    }
    // Brackets nest in Stripe's form encoding, so `a]` and `a[b]` would come out as something else.
    if (name === '' || characters(name) > METADATA_KEY_LENGTH || /[[\]]/.test(name)) {
      throw new RefusedError(
        `The metadata name ${show(name)} must have 1 to ${METADATA_KEY_LENGTH} characters and no square brackets.`,
      );
    }
    if (typeof value !== 'string' || characters(value) > METADATA_VALUE_LENGTH) {
      throw new RefusedError(
        `The metadata value of ${show(name)} must be a text of up to ${METADATA_VALUE_LENGTH} characters.`,
      );
    }
    if (/\p{Surrogate}/u.test(name + value)) {
      throw new RefusedError(`The metadata entry ${show(name)} holds half a character, which cannot be sent.`);
    }
  }
}

/** Checked before by whoever made them; checked again because a header that is trimmed or cut is another key. */
export function checkMark({ operationId, key }: EffectMark): void {
  for (const [what, text, longest] of [
    ['operation ID', operationId, METADATA_VALUE_LENGTH],
    ['key', key, KEY_LENGTH],
  ] as const) {
    if (!/^[\x21-\x7E]+$/.test(text) || text.length > longest) {
      throw new RefusedError(
        `The ${what} ${show(text)} must be printable ASCII without blanks, up to ${longest} long.`,
      );
    }
  }
}

function characters(text: string): number {
  return [...text].length;
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
