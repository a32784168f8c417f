/**
 * The one request of a generation, as text, so that a resend is the first request again (rule 5). The ledger keeps it
 * and every attempt sends it as it stands; nothing of it is computed a second time.
 */
export interface StoredRequest {
  /** The provider's account or tenant the request belongs to (Stripe: `acct_…`, or `''` for the key's own account). */
  readonly account: string;
  /** Method and path, for example `POST /v1/refunds`. */
  readonly path: string;
  /** The provider's API version the body was written for. */
  readonly version: string;
  /** The body's exact text. */
  readonly body: string;
}
