/**
 * What a query, a webhook or a fence found (design, section 5). The provider compares what it finds with the stored
 * request; the fold decides what it means.
 */
export type Evidence = FoundEvidence | AbsentEvidence | InconclusiveEvidence;

/** At least one object that bears our operation ID. */
export interface FoundEvidence {
  readonly kind: 'found';
  readonly effects: readonly FoundEffect[];
  /** Whether everything was looked at: only then are generations without an effect known to show none. */
  readonly complete: boolean;
}

/** A complete query, well formed to the last page, from the right account, that shows nothing with our operation ID. */
export interface AbsentEvidence {
  readonly kind: 'absent';
}

/** Anything less than that. It proves nothing. */
export interface InconclusiveEvidence {
  readonly kind: 'inconclusive';
  readonly why: string;
  /** Milliseconds for which the provider asks to be left alone; left out where it does not say. */
  readonly retryAfterMs?: number;
}

/** One object at the provider that bears our operation ID, compared with the stored request. */
export interface FoundEffect {
  readonly externalId: string;
  readonly status: EffectStatus;
  /** The key the object was made under (our metadata or the provider's event), null where it does not tell. */
  readonly key: string | null;
  /** Null where target, amount and currency are those of the stored request; else what differs, in one phrase. */
  readonly mismatch: string | null;
}

/** `pending`: taken and not finished. `failed`: ended without the effect, or the effect was undone. */
export type EffectStatus = 'pending' | 'succeeded' | 'failed';
