/** What became of a delivery. */
export type WebhookResult =
  /** An event of an operation now. */
  | 'recorded'
  /** It told what was known already, or was sent again. */
  | 'known'
  /** The provider's, and about nothing of ours: another kind of event, an effect without an operation ID, the other mode. */
  | 'ignored'
  /** It bears an operation ID that no operation of the ledger has for this provider and account. */
  | 'foreign'
  /** Several tenants have the operation ID, and nothing tells whose effect it is: recorded for none. */
  | 'ambiguous'
  /** The provider's, but it cannot be read: a status or a shape that this release does not know. */
  | 'unreadable'
  /** Nothing shows that the provider sent it, or it was too large. Answered with 400 or 413. */
  | 'refused'
  /** It could not be recorded, for want of the database or by a defect. Answered with 503 or 500: it is sent again. */
  | 'failed';

/** How many deliveries ended how, since the door was opened. */
export type WebhookCounts = Readonly<Record<WebhookResult, number>>;

/** No delivery yet. */
export function noWebhooks(): Record<WebhookResult, number> {
  return { recorded: 0, known: 0, ignored: 0, foreign: 0, ambiguous: 0, unreadable: 0, refused: 0, failed: 0 };
}
