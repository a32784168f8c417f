import type { EffectStatus } from './evidence';

/**
 * What one attempt's answer told us (design, section 4). Whatever a provider does not list is `unknown`:
 * a status code alone never makes `rejected`, and a last error alone never makes `not-submitted`.
 */
export type Outcome = ConfirmedOutcome | AcceptedOutcome | RejectedOutcome | NotSubmittedOutcome | UnknownOutcome;

/** A well-formed answer that holds our effect, carried out. */
export interface ConfirmedOutcome {
  readonly kind: 'confirmed';
  readonly externalId: string;
  readonly receipt: Receipt;
}

/** A well-formed answer that holds our effect, to be finished later; or a stored copy of one that must be read again. */
export interface AcceptedOutcome {
  readonly kind: 'accepted';
  readonly externalId: string;
  /** The answer was the provider's stored copy of an earlier one: its status may be old, so it is read again first. */
  readonly replayed: boolean;
  /**
   * Of a stored copy: the status it shows, which the effect had when it was first answered. It alone settles nothing,
   * but with what is read now it may be an alarm: a success that failed later (rule 11). Left out where the copy does
   * not tell, in answers that are no copy, and in events of before this field.
   */
  readonly status?: EffectStatus;
  readonly receipt: Receipt;
}

/** Refused. */
export interface RejectedOutcome {
  readonly kind: 'rejected';
  /** `all`: no attempt of this key had an effect. `attempt`: this attempt had none; the others' fate stays open. */
  readonly covers: 'all' | 'attempt';
  /** The provider's own code, or our short name for it. */
  readonly code: string;
  /** One sentence for the model and for people. */
  readonly message: string;
  /** The number of an effect that failed from the start; null where none was made. */
  readonly externalId: string | null;
  readonly receipt: Receipt;
}

/** Provably never written, or turned away before execution; worth the same bytes again. */
export interface NotSubmittedOutcome {
  readonly kind: 'not-submitted';
  readonly why: string;
  /** Milliseconds for which the provider asks to be left alone; left out where it does not say. */
  readonly retryAfterMs?: number;
  readonly receipt: Receipt;
}

/** Everything else: it may have taken effect. */
export interface UnknownOutcome {
  readonly kind: 'unknown';
  readonly why: string;
  /**
   * `pointless`: the provider stored its error with the key and would only repeat it. `unsafe`: another send of the
   * same key could make a second effect. `allowed`: neither is known.
   */
  readonly resend: 'allowed' | 'pointless' | 'unsafe';
  /**
   * What the answer shows that cannot be, in one sentence: our key or our ID on something else (rule 11). The operation
   * goes before a person and calls send nothing. The same answer gives the same sentence: a person's act ends it.
   */
  readonly alarm?: string;
  readonly receipt: Receipt;
}

/** What is kept of an answer whatever it was, for support and for people. */
export interface Receipt {
  /** The provider's request ID (`req_…`), null where no answer brought one. */
  readonly requestId: string | null;
  readonly httpStatus: number | null;
  /** The answer or the error in short, bounded by `shorten`. */
  readonly detail: string;
}

/** Characters of an answer that a receipt keeps: enough for an error body, small beside the events around it. */
const RECEIPT_DETAIL_MAX = 2_000;

export function shorten(text: string, max: number = RECEIPT_DETAIL_MAX): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length} characters)`;
}
