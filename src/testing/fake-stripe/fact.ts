import type { Answer } from './answer';
import type { Payment } from './payment';
import type { Refund, RefundVersion } from './refund';
import type { Send, SendFate } from './send';
import type { StripeEvent } from './stripe-event';

/**
 * Everything that changes the fake's data. Facts that must come true together are committed together: one line of the
 * journal holds a refund, its events, the stored answer of its key and the fate of its send, or none of them.
 */
export type Fact =
  | { readonly kind: 'payment-added'; readonly payment: Payment }
  | { readonly kind: 'refund-made'; readonly refund: Refund }
  | { readonly kind: 'refund-changed'; readonly id: string; readonly version: RefundVersion }
  | { readonly kind: 'event-made'; readonly event: StripeEvent }
  | { readonly kind: 'answer-stored'; readonly stored: StoredAnswer }
  | { readonly kind: 'send-arrived'; readonly send: Send }
  | ({ readonly kind: 'send-decided' } & SendDecision)
  | { readonly kind: 'answer-left'; readonly requestId: string }
  | { readonly kind: 'run-started' }
  | { readonly kind: 'clock-advanced'; readonly ms: number }
  | { readonly kind: 'lag-set'; readonly lag: Lag };

interface SendDecision {
  readonly requestId: string;
  readonly fate: SendFate;
  readonly refund: string | null;
  readonly status: number | null;
}

/** The first answer of a key, which every later request with that key gets. */
export interface StoredAnswer {
  readonly account: string;
  readonly key: string;
  /** The parameters in one canonical text, by which a reuse for something else is recognised. */
  readonly fingerprint: string;
  /** From here the key's age counts: when its first request began, not when it was answered. */
  readonly firstUsedAt: number;
  readonly requestId: string;
  readonly answer: Answer;
}

/** How long after a change each kind of query shows it, in milliseconds of the fake's clock. */
export interface Lag {
  readonly list: number;
  readonly events: number;
  readonly retrieve: number;
}
