import { ConformanceSetupError } from './conformance-setup-error';

/**
 * What stands in for the outside world: it takes requests, makes effects, misbehaves on command, and counts for itself.
 * `httpDownstream` is one for everything that speaks HTTP, `fakeStripeDownstream` the same for Stripe; write your own
 * where neither fits.
 */
export interface Downstream {
  /** What it can do to a request. Promises that need more are not checked, and the kit says so. */
  readonly can: readonly DownstreamFault['kind'][];
  /** Called once, before the first check. */
  start(): Promise<DownstreamAddress>;
  stop(): Promise<void>;
  /** All effects that exist now, whoever made them, counted where they are made and not where they are sent. */
  effects(): Promise<readonly DownstreamEffect[]>;
  /** All requests for an effect that arrived since the start, oldest first. Those that only ask are not in it. */
  requests(): readonly DownstreamRequest[];
  /** Does this to the next requests. A request meets at most one: of those that fit, the one that came first. */
  treatNext(fault: DownstreamFault, scope?: FaultScope): Treatment;
  /** No further request is treated; what is held is dropped. */
  calm(): void;
  /** Called when a request for an effect has arrived whole, before anything is done with it. Gives what ends it. */
  onRequest(listener: (request: DownstreamRequest) => void | Promise<void>): () => void;
  /** From now on nobody can connect. */
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
}

/** Where a provider or a tool reaches the downstream; on this machine. */
export interface DownstreamAddress {
  /** Without a slash at its end. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http';
}

/** Something that exists because of a request. */
export interface DownstreamEffect {
  /** The downstream's own number for it. */
  readonly externalId: string;
}

/** One request as it came. */
export interface DownstreamRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The idempotency key it carries; null for none. */
  readonly key: string | null;
}

/** What a downstream, or the way to it, does to a request. */
export type DownstreamFault =
  /** It arrives whole, and the connection ends; nothing is carried out. */
  | { readonly kind: 'lose-request'; readonly how?: 'close' | 'reset' }
  /** Carried out; the connection ends without a byte of the answer. */
  | { readonly kind: 'lose-answer'; readonly how?: 'close' | 'reset' }
  /** Carried out; half of the answer comes, then the connection ends. */
  | { readonly kind: 'cut-answer' }
  /** As if it were still on its way, until it is released. */
  | { readonly kind: 'hold-request' }
  /** Carried out, and the answer held back until it is released. */
  | { readonly kind: 'hold-answer' }
  /** Carried out twice, as by a proxy that repeats; the second answer comes. */
  | { readonly kind: 'repeat-request' }
  /** Another answer in place of the downstream's. `status` null: the downstream's own, of a request carried out. */
  | {
      readonly kind: 'answer';
      readonly status: number | null;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Whether the request is carried out all the same. */
      readonly carriedOut: boolean;
    };

/** Which requests a fault is for. */
export interface FaultScope {
  /** `effect`, the default: those for an effect. `question`: those that only ask. */
  readonly of?: 'effect' | 'question';
  /** How many of them; 1 by default. */
  readonly times?: number;
  /** Lets so many fitting ones pass first. */
  readonly skip?: number;
}

/** A fault on duty. */
export interface Treatment {
  /** How many requests it has met. */
  readonly hits: number;
  /** Resolves when it meets its first request; for one that holds, when it holds it. */
  readonly met: Promise<void>;
  /** Lets go of what it holds, and meets no further request. */
  release(): void;
  /** The connections of what it holds end; held requests are never carried out. */
  drop(): void;
}

/** Throws ConformanceSetupError where there is none; callers in JavaScript may give anything. */
export function checkDownstream(downstream: Downstream | undefined, needed: string): void {
  if (typeof downstream?.start === 'function') return;
  throw new ConformanceSetupError(
    `${needed} httpDownstream({ start }) makes one of any fake or sandbox that speaks HTTP.`,
  );
}
