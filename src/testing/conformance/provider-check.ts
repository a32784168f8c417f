import type { IncomingWebhook, Provider } from '../../providers/provider';
import type { Downstream, DownstreamAddress } from './downstream';

/** What `describeProvider` and `checkProvider` take. */
export interface ProviderCheck<Request> {
  /** For the tests' title; the provider's own name unless given. */
  readonly name?: string;
  readonly downstream: Downstream;
  /**
   * Makes the provider, pointed at this address. Called once more before anything runs, with an address where nobody
   * listens, to see which parts it has: so it must not connect by itself.
   */
  provider(at: DownstreamAddress): Provider<Request>;
  /** A request that the downstream carries out. It is sent often, each time as another operation. */
  request(): Request | Promise<Request>;
  /** The same request of the same target, but for one thing that must match: another amount, say. */
  alter?(request: Request): Request;
  /**
   * How many effects the downstream shows on one page, where `find` reads a list of pages: one more is made, and the
   * first must still be found.
   */
  readonly pageSize?: number;
  /** True where the downstream says of an answer that it is a stored copy (Stripe's `Idempotent-Replayed`). */
  readonly marksReplays?: boolean;
  /** What the downstream would post about this effect, signed as it does, now. */
  webhook?(effect: MadeEffect): IncomingWebhook | Promise<IncomingWebhook>;
}

/** An effect that a send of the kit has made. */
export interface MadeEffect {
  readonly externalId: string;
  readonly operationId: string;
  readonly key: string;
  /** The stored request's body, as it was sent. */
  readonly body: string;
}
