import { type Receipt, shorten } from '../../operations/outcome';
import type { ReadAnswer } from './read-answer';
import type { MadeTry } from './single-try-http-client';

/** Enough of a foreign page to tell whose it is. */
const FOREIGN_BODY_LENGTH = 400;
const REQUEST_ID_LENGTH = 100;

/**
 * What is kept of a try. Only the fields named here are taken from Stripe's objects: the rest may hold a customer's
 * e-mail or a card's reference. Secrets are taken out of everything.
 */
export function receiptOf({ result, secrets }: MadeTry, answer: ReadAnswer | null): Receipt {
  if (result.kind === 'not-written')
    return { requestId: null, httpStatus: null, detail: withoutSecrets(result.why, secrets) };
  const requestId = result.headers['request-id'];
  const detail = result.kind === 'lost' ? result.why : answerDetail(result.body, answer);
  return {
    requestId: typeof requestId === 'string' ? shorten(withoutSecrets(requestId, secrets), REQUEST_ID_LENGTH) : null,
    httpStatus: result.status,
    detail: shorten(withoutSecrets(detail, secrets)),
  };
}

/** Replaces the credentials of the request and whatever looks like Stripe's (API keys, signing and client secrets). */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text);
  return known
    .replace(/\b(?:[spr]k|ek|uk)_(?:live|test)_[\w*]+/g, '[secret]')
    .replace(/\bwhsec_\w+/g, '[secret]')
    .replace(/_secret_\w+/g, '_[secret]')
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=*-]+/gi, '$1 [secret]');
}

function answerDetail(body: string, answer: ReadAnswer | null): string {
  const replayed = answer === null || answer.replayed === 'no' ? {} : { replayed: answer.replayed };
  if (answer?.refund) {
    const { id, object, status, amount, currency, payment_intent, metadata, ...reasons } = answer.refund;
    const { failure_reason = null, pending_reason = null } = reasons;
    return JSON.stringify({
      ...{ id, object, status, amount, currency, payment_intent },
      ...{ op_id: metadata?.op_id, op_key: metadata?.op_key },
      ...(pending_reason !== null && { pending_reason }),
      ...(failure_reason !== null && { failure_reason }),
      ...replayed,
    });
  }
  if (answer?.error) return JSON.stringify({ error: answer.error, ...replayed });
  return shorten(body.replace(/\s+/g, ' ').trim(), FOREIGN_BODY_LENGTH) || 'An empty answer.';
}
