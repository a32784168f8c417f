import type { Resolution } from './resolution';
import { isText, whyUnsigned } from './signature';
import type { Instant } from './time';

/** What providers give as numbers: far less than a row or a reply can take. */
const EXTERNAL_ID_MAX = 255;
const IN_ONE = /^[^\s\p{Cc}]+$/u;

/**
 * Why this is no person's act, whatever operation it is about; null where it is one. Judged before anything else, since
 * it comes from outside: a version that is no number would be older than no evidence at all.
 */
export function whyNoAct({ by, note, sawVersion, verdict, lookedAt }: Resolution, now: Instant): string | null {
  const unsigned = whyUnsigned({ by, note });
  if (unsigned !== null) return unsigned;
  if (!Number.isSafeInteger(sawVersion) || sawVersion < 1) {
    return 'Name the version that was before the person: a whole number above zero.';
  }
  if (!['confirmed', 'rejected'].includes(verdict.as)) return 'Say confirmed or rejected.';
  // Types are no guard at run time, and 'false' is a text that would open the next generation.
  if (verdict.as === 'rejected' && typeof verdict.allowResend !== 'boolean') {
    return 'Say whether it may be sent again: true or false.';
  }
  if (verdict.as === 'confirmed' && !(isText(verdict.externalId, EXTERNAL_ID_MAX) && IN_ONE.test(verdict.externalId))) {
    return `Say which effect: the provider's number for it, up to ${EXTERNAL_ID_MAX} characters without blanks.`;
  }
  // The ledger's clock counts, as for all bounds. Not `>`: what is no number is no moment either.
  if (lookedAt !== null && !(lookedAt <= now)) return 'The look at the provider lies in the future of the ledger.';
  return null;
}
