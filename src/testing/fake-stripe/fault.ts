/**
 * Which requests a fault is for. `create`, `list`, `retrieve` are the refunds' endpoints, `events` both endpoints of
 * events; `any` is every request of the API, payment intents included. A request meets at most one fault: of those
 * that fit, the one armed first.
 */
interface FaultScope {
  readonly route: FaultRoute;
  /** How many requests it is for, 1 by default. */
  readonly times?: number;
  /** All requests that carry the first key seen from now on, in place of `times`. */
  readonly forFirstKey?: boolean;
  /** Only requests that carry this key. */
  readonly key?: string;
  /** Lets this many fitting requests pass first: 1 makes the second page of a list fail. */
  readonly skip?: number;
}

export const FAULT_ROUTES = ['create', 'list', 'retrieve', 'events', 'any'] as const;
export type FaultRoute = (typeof FAULT_ROUTES)[number];

type FaultAction =
  /** The request arrives whole, then the connection is destroyed and nothing executes. */
  | { readonly kind: 'drop-request'; readonly how?: Hangup }
  /** Executed, then the connection is destroyed without a byte of the answer. */
  | { readonly kind: 'drop-answer'; readonly how?: Hangup }
  /** As if it were still on its way: nothing looks at it, and its key is free for others, until it is released. */
  | { readonly kind: 'hold-request' }
  /** Its key is in use (409 for others) and the refund is not made until it is released. Route `create` only. */
  | { readonly kind: 'hold-execution' }
  /**
   * Executed, the answer withheld until it is released. The key's others get the stored answer meanwhile, or 409 with
   * `keyInUse` (route `create` only).
   */
  | { readonly kind: 'hold-answer'; readonly keyInUse?: boolean }
  /** Executed, the answer sent this many real milliseconds later. */
  | { readonly kind: 'slow-answer'; readonly ms: number }
  /** A 500, with the refund made or not. On `create` it is stored with the key, as Stripe does. */
  | { readonly kind: 'server-error'; readonly effect: boolean; readonly shouldRetry?: boolean }
  /**
   * Any answer in place of ours, before anything is looked at, authentication included. On `create`, `effect` makes the
   * refund all the same (a gateway's 502 in front of an API that worked) and `store` keeps this answer with the key;
   * with either, the request must first get as far as being executed, or it is answered as if there were no fault.
   */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly store?: boolean;
      readonly effect?: boolean;
    }
  /** Executed; half of the body is sent under the whole one's Content-Length, then the connection is destroyed. */
  | { readonly kind: 'cut-body'; readonly how?: Hangup };

/** How a connection is destroyed: in order (FIN) or by a reset (RST). In order by default. */
export type Hangup = 'close' | 'reset';

/** What goes wrong, and with which requests. */
export type Fault = FaultScope & FaultAction;
