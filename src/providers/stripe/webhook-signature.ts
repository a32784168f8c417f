import type { StripeConnection } from './stripe-client';

/** Stripe's own default, in seconds. Stripe signs anew for every delivery, so a late one is not an old signature. */
const TOLERANCE_S = 300;

/**
 * Null where one of the secrets signed exactly this text within the last or next five minutes; else why not.
 *
 * The signature is the SDK's to check. The time is ours: the SDK takes a signature from the future however far off it
 * is (found by running version 23), so a sender whose clock was wrong once could be replayed for ever.
 */
export function signatureProblem(
  connection: StripeConnection,
  secrets: readonly string[],
  delivery: { readonly body: string; readonly header: string | undefined; readonly nowMs: number },
): string | null {
  const { body, header, nowMs } = delivery;
  if (header === undefined || header === '') return 'There is no header Stripe-Signature.';
  const signedAt = signingTime(header);
  if (signedAt === null) return 'The header Stripe-Signature has no single time t=….';
  if (!secrets.some((secret) => connection.isSignedBy(body, header, secret))) {
    return 'No signing secret of this endpoint fits the signature and the body as it was received.';
  }
  const ageS = Math.floor(nowMs / 1_000) - signedAt;
  if (Math.abs(ageS) <= TOLERANCE_S) return null;
  return ageS > 0
    ? `It was signed ${ageS} s ago; ${TOLERANCE_S} s are allowed. Is the clock of this server right?`
    : `It was signed ${-ageS} s in the future; ${TOLERANCE_S} s are allowed. Is the clock of this server right?`;
}

/** Null where there are several: the SDK takes the last, and nobody can say which one was meant. */
function signingTime(header: string): number | null {
  const [time, ...more] = header.split(',').filter((part) => part.startsWith('t='));
  return time !== undefined && more.length === 0 && /^t=\d{1,12}$/.test(time) ? Number(time.slice(2)) : null;
}
