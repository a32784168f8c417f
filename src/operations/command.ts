import type { OperationEvent, Recorded } from './event';
import type { Evidence } from './evidence';
import type { Outcome } from './outcome';
import type { Pause } from './pause';
import type { Reply } from './reply';
import type { StoredRequest } from './request';
import type { Duration, Instant } from './time';

/** What the stepper asks its driver to do next. The driver carries it out, whatever it is, and decides nothing. */
export type Command =
  /** Read the operation's events and the ledger's time in one statement. Restart the local send deadline before it. */
  | { readonly kind: 'load' }
  /** Compute the request of a generation: authorise, read, encode. No side effects. */
  | { readonly kind: 'prepare'; readonly generation: number; readonly key: string }
  /** Append events if nobody wrote since `before`, in one statement. */
  | { readonly kind: 'save'; readonly before: readonly Recorded[]; readonly events: readonly OperationEvent[] }
  /** One try. The bytes leave within `sendWithin` of the last load, or never; the answer is waited for `answerWithin`. */
  | SendCommand
  | FindCommand
  /** Let another call's attempt go on. */
  | { readonly kind: 'wait'; readonly for: Duration }
  /** The call has its reply. */
  | { readonly kind: 'finish'; readonly reply: Reply }
  /** Nothing left; let Temporal run the activity again. */
  | { readonly kind: 'retry'; readonly why: string };

export interface SendCommand {
  readonly kind: 'send';
  readonly generation: number;
  readonly attempt: number;
  readonly key: string;
  readonly request: StoredRequest;
  readonly sendWithin: Duration;
  readonly answerWithin: Duration;
}

export interface FindCommand {
  readonly kind: 'find';
  readonly request: StoredRequest;
  readonly keys: readonly string[];
  readonly externalId: string | null;
  readonly since: Instant;
}

/** How the last command went. A driver that cannot tell (ledger out of reach) throws instead, and the call is run again. */
export type CommandResult =
  | {
      readonly kind: 'loaded';
      readonly now: Instant;
      readonly events: readonly Recorded[];
      /** What is paused at that moment; left out where nothing is. */
      readonly pauses?: readonly Pause[];
    }
  | { readonly kind: 'prepared'; readonly request: StoredRequest; readonly intent: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'saved'; readonly now: Instant }
  /** Somebody else wrote first; nothing of ours was written. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'answered'; readonly outcome: Outcome }
  | { readonly kind: 'found'; readonly evidence: Evidence }
  | { readonly kind: 'waited' };
