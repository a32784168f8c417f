import type { Contract } from '../operations/contract';
import type { Evidence } from '../operations/evidence';
import type { Outcome } from '../operations/outcome';
import type { StoredRequest } from '../operations/request';
import type { Instant } from '../operations/time';

/**
 * A downstream, and what it promises. A provider knows how to write, send and look for one kind of request; what its
 * answers mean for the operation is decided by the rules in `operations/`.
 */
export interface Provider<Request> {
  /** Stable name, stored with every operation (`stripe.refunds`). */
  readonly name: string;
  readonly contract: Contract;
  /** Whether tenants share one account at the provider: their keys then begin with `tenant~`. */
  readonly sharedAccount: boolean;
  /** Turns the business request into the text that is stored and sent. Throws `RefusedError` where it cannot be sent. */
  encode(request: Request, mark: EffectMark): StoredRequest;
  /**
   * The same request for another operation: the marks are replaced, and all else stays as it was stored, byte for byte.
   * A person who wants an effect once more (`ops redo`) needs it; without it that is refused. Throws `RefusedError` for a
   * text that `encode` did not make, or a mark that cannot be sent.
   */
  remark?(request: StoredRequest, mark: EffectMark): StoredRequest;
  /** Exactly one try. What it throws is `unknown`. */
  send(send: SendRequest): Promise<Outcome>;
  /** Looks for the effect. What it throws is `inconclusive`. Without it, outcomes come from answers and webhooks only. */
  find?(query: FindQuery): Promise<Evidence>;
  /** Reads what the provider posts to the webhook door. Without it, there is nothing for it there. */
  readonly webhook?: WebhookReader;
}

/** What the effect bears downstream, so that it can be found and recognised. */
export interface EffectMark {
  readonly operationId: string;
  readonly key: string;
}

/** One attempt, to be sent as it is, or not at all once its deadline is over. */
export interface SendRequest extends EffectMark {
  readonly request: StoredRequest;
  readonly deadline: SendDeadline;
}

/**
 * Until when the attempt may leave (rule 3). Started before the ledger was read, on the monotonic and the wall clock;
 * whichever shows more counts, so neither a frozen process nor a clock set back gains time.
 */
export interface SendDeadline {
  /** Milliseconds left; zero or less means that nothing may be written any more. */
  remainingMs(): number;
}

/** Reads a provider's webhooks. It asks nobody and changes nothing. */
export interface WebhookReader {
  /** Where the provider posts to: `/webhooks/<path>`. Providers may share a path, and their secrets tell them apart. */
  readonly path: string;
  /** Whether the provider itself sent this, and just now; and what it tells. What it throws is answered with 500. */
  read(webhook: IncomingWebhook): WebhookNews;
}

/** What was posted to the webhook door. */
export interface IncomingWebhook {
  /** The body's exact text: a signature is over that. */
  readonly body: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** This server's clock, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
}

/** What a delivery tells. */
export type WebhookNews =
  /** Nothing shows that the provider sent it, or that it did so now. Nothing in it may be believed. */
  | { readonly kind: 'refused'; readonly why: string }
  /** The provider's, and about nothing of ours. */
  | { readonly kind: 'ignored'; readonly why: string }
  /** The provider's, and it may be about something of ours, but cannot be read. */
  | { readonly kind: 'unreadable'; readonly why: string }
  | EffectNews;

/** An effect that bears an operation ID. */
export interface EffectNews {
  readonly kind: 'effect';
  /** The event and the effect, for logs. */
  readonly about: string;
  readonly operationId: string;
  /** The key it was made under, where it tells one. */
  readonly key: string | null;
  /**
   * The effect compared with the request of an operation of that ID, as `find` does; null where the effect is in another
   * account than the request, and so not the operation's.
   */
  evidence(query: EffectQuery): Evidence | null;
}

/** An operation of the ledger that an effect may be of. */
export type EffectQuery = Pick<FindQuery, 'request' | 'operationId' | 'keys'>;

/** What `find` is asked: which effect of which request. It may be asked again and again, so it changes nothing. */
export interface FindQuery {
  readonly request: StoredRequest;
  readonly operationId: string;
  /** The keys of all generations so far, oldest first. */
  readonly keys: readonly string[];
  /** The effect's own number where an answer or an event told it. */
  readonly externalId: string | null;
  /** When the operation's first attempt was marked: nothing of it is older, but for the clocks' difference. */
  readonly since: Instant;
}
