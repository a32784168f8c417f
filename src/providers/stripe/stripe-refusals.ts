import { shorten } from '../../operations/outcome';
import type { StripeErrorBody } from './stripe-error';

/** Types under which Stripe refuses, today's and older ones; `api_error` says that Stripe itself does not know. */
const DOOR_TYPES = new Set(['invalid_request_error', 'authentication_error', 'permission_error', 'rate_limit_error']);
const REFUSAL_TYPES = new Set(['invalid_request_error', 'card_error']);

/** Statuses of the door: a bad or missing key, a key without permission or for another account, too many requests. */
const DOOR_STATUSES = new Set([401, 403, 429]);

/**
 * Codes of the door, whichever of these statuses they come with: the request was not carried out, and with credentials,
 * mode or load put right the same bytes are worth sending again (docs.stripe.com/error-codes). 402 is not among them:
 * it means that the request was carried out and failed.
 */
const DOOR_CODE_STATUSES = new Set([400, 401, 403, 404, 409, 429]);
const DOOR_CODES = new Set([
  'account_invalid',
  'api_key_expired',
  'livemode_mismatch',
  'lock_timeout',
  'platform_api_key_expired',
  'rate_limit',
  'secret_key_required',
]);

const MESSAGE_LENGTH = 300;

export function isKeyInUse({ code }: StripeErrorBody): boolean {
  return code === 'idempotency_key_in_use';
}

/** Also by its words, for an API version that calls it an invalid request ("Keys for idempotent requests can only …"). */
export function isKeyTrouble(status: number, { type, code, message }: StripeErrorBody): boolean {
  if (type === 'idempotency_error') return true;
  return status < 500 && (/idempoten/i.test(code ?? '') || /idempoten/i.test(message));
}

export function isTurnedAway(status: number, { type, code }: StripeErrorBody): boolean {
  if (!DOOR_TYPES.has(type)) return false;
  return DOOR_STATUSES.has(status) || (DOOR_CODE_STATUSES.has(status) && DOOR_CODES.has(code ?? ''));
}

/** "… a similar object exists in live mode, but a test mode key was used": the wrong key, not the wrong payment (S16). */
export function isForeignMode({ type, code, message }: StripeErrorBody): boolean {
  return (
    type === 'invalid_request_error' &&
    code === 'resource_missing' &&
    /similar object exists in (live|test) mode/i.test(message)
  );
}

/** The refusal in our words, null where the answer is no refusal that is listed. */
export function rejection(status: number, body: StripeErrorBody): { code: string; message: string } | null {
  const listed = status === 400 || status === 402 || (status === 404 && body.code === 'resource_missing');
  if (!listed || !REFUSAL_TYPES.has(body.type) || (body.type === 'card_error' && status !== 402)) return null;
  const code = body.code ?? (isOverRefund(body) ? 'amount_too_large' : body.type);
  return { code, message: sentence(code, body) };
}

/** Stripe gives no code with this one (S12). */
function isOverRefund({ message }: StripeErrorBody): boolean {
  return /refund amount .* is greater than/i.test(message);
}

function sentence(code: string, body: StripeErrorBody): string {
  const refused = `Stripe refused the refund: ${said(body).replace(/[.!?]?$/, '.')}`;
  switch (code) {
    case 'charge_already_refunded':
      return `${refused} Whose refund that was, the payment's list of refunds shows.`;
    case 'resource_missing':
      return `${refused} The ID may be wrong, or belong to another account or mode.`;
    default:
      return refused;
  }
}

/** Stripe's own sentence, in short. */
export function said({ type, code, message }: StripeErrorBody): string {
  return shorten(message.trim() || code || type, MESSAGE_LENGTH);
}
