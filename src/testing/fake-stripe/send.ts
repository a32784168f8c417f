/**
 * What became of a request to create a refund.
 *
 * - `waiting`: it arrived, and nothing was decided yet (held, or executing).
 * - `executed`: it made a refund, whatever was answered.
 * - `replayed`: it got the stored answer of the key's first request.
 * - `conflict`: its key was in use by a request that still ran (409).
 * - `mismatch`: its key was first used with other parameters (400).
 * - `refused`: authentication, validation, or the business refused it.
 * - `error`: an armed fault answered in place of the endpoint, with whatever status; no refund was made.
 * - `dropped`: the connection was destroyed before anything executed.
 * - `incomplete`: the connection ended before the whole request had arrived.
 */
export type SendFate =
  | 'waiting'
  | 'executed'
  | 'replayed'
  | 'conflict'
  | 'mismatch'
  | 'refused'
  | 'error'
  | 'dropped'
  | 'incomplete';

/** One request to create a refund, counted the moment it arrived. */
export interface Send {
  readonly requestId: string;
  readonly at: number;
  readonly account: string;
  readonly key: string | null;
  /** The body exactly as it came. */
  readonly body: string;
  /** The request's `Stripe-Version`. */
  readonly version: string | null;
  readonly fate: SendFate;
  /** The refund it made; null where it made none, replays included. */
  readonly refund: string | null;
  /** The status it was answered with; null while nothing was decided, and where it was dropped. */
  readonly status: number | null;
  /** Whether the whole answer was handed to a living connection. It does not say that the client read it. */
  readonly answerLeft: boolean;
}
