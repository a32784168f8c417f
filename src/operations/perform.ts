import type { SendCommand } from './command';
import type { Contract } from './contract';
import type { AnsweredEvent, CallRef, OperationEvent, Recorded } from './event';
import type { Evidence } from './evidence';
import type { Reply } from './reply';
import type { Duration, Instant } from './time';

/** One execution of one call: what does not change while the stepper runs. */
export interface PerformSetup {
  readonly operationId: string;
  readonly tool: string;
  readonly provider: string;
  /**
   * `look` asks where the outcome is open and records what it finds; it never registers and never sends. `check` does the
   * same for a person, who may doubt what is settled: it asks in every state. `reconcile` is nobody's call: it finds out,
   * sends the stored request again where the rules allow it, and puts what has come to its end before a person.
   */
  readonly purpose: 'send' | 'look' | 'check' | 'reconcile';
  /** The generation the call was planned for (rule 12). */
  readonly generation: number;
  readonly intent: string;
  readonly call: CallRef;
  readonly contract: Contract;
  /** Whether the provider can be asked. */
  readonly hasQuery: boolean;
  readonly keyPrefix: string;
  /** False: the provider is left alone for a while. Only read where reconciliation asks. */
  readonly mayAsk?: boolean;
  readonly limits: PerformLimits;
}

export interface PerformLimits {
  /** How long a call waits for another call's attempt before it says `in_progress`. */
  readonly joinWithin: Duration;
  readonly joinPollEvery: Duration;
  /** Attempts of one call that may end `not-submitted` before the call is answered `not_submitted`. */
  readonly notSubmittedAttempts: number;
  /** Without an event for so long, nobody tries to send what is registered any more. */
  readonly leftBehindAfter: Duration;
}

/** Where an execution stands. Plain data: it can be stored, compared and carried on elsewhere. */
export interface PerformState {
  readonly awaiting: Awaiting;
  /** The last read, with our own saves added. */
  readonly now: Instant;
  readonly events: readonly Recorded[];
  /** Whether tool or provider were paused then. */
  readonly paused: boolean;
  /** What the query of this execution found, until it is recorded. */
  readonly finding: Finding | null;
  readonly queried: boolean;
  /** The answer to our send, until it is recorded. */
  readonly answer: AnsweredEvent | null;
  readonly waited: Duration;
}

export interface Finding {
  readonly evidence: Evidence;
  /** Ledger time of the read before the query. */
  readonly begunAt: Instant;
  /** The operation's version then: of an attempt that was marked later, the look says nothing. */
  readonly version: number;
}

/** Which command's result is awaited, and what its save will have added. */
export type Awaiting =
  | { readonly kind: 'load' }
  | { readonly kind: 'prepare'; readonly generation: number; readonly key: string }
  | { readonly kind: 'mark'; readonly events: readonly OperationEvent[]; readonly send: SendCommand }
  | { readonly kind: 'send'; readonly send: SendCommand }
  | { readonly kind: 'record-answer'; readonly answer: AnsweredEvent }
  | { readonly kind: 'find' }
  | { readonly kind: 'record-finding'; readonly events: readonly OperationEvent[] }
  /** `reply` is what the call is told once it is fenced; null where it is told the operation's truth. */
  | { readonly kind: 'close'; readonly events: readonly OperationEvent[]; readonly reply: Reply | null }
  /** What the call is told once it is noted that its session will hear more. */
  | { readonly kind: 'tell'; readonly events: readonly OperationEvent[]; readonly reply: Reply }
  | { readonly kind: 'wait' }
  | { readonly kind: 'nothing' };
