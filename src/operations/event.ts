import type { Evidence } from './evidence';
import type { Outcome } from './outcome';
import type { StoredRequest } from './request';
import type { Instant } from './time';

/**
 * One entry of an operation's history. The ledger only appends; the operation is the fold of its events (rule 9), so a
 * later release may add kinds and must keep reading these.
 */
export type OperationEvent =
  | RegisteredEvent
  | WaitingEvent
  | ToldEvent
  | MarkedEvent
  | AnsweredEvent
  | EvidenceEvent
  | ClosedEvent
  | DroppedEvent
  | EscalatedEvent
  | ResolvedEvent;

/** An event as the ledger keeps it: its place in the operation's history and the ledger's time of its commit. */
export type Recorded<Event = OperationEvent> = Event & { readonly seq: number; readonly at: Instant };

/** The call an event stems from. */
export interface CallRef {
  /** Ours: session/turn/step/position. */
  readonly callId: string;
  /** Temporal's attempt of the activity: a higher one fences the lower ones (rule 13). */
  readonly activityAttempt: number;
  readonly sessionId: string;
  readonly customer: string;
}

/** A generation is recorded with its request. The first of a number wins, unless that one was dropped. */
export interface RegisteredEvent {
  readonly kind: 'registered';
  readonly generation: number;
  readonly tool: string;
  readonly provider: string;
  readonly key: string;
  /** Canonical JSON of what must not change within the generation. */
  readonly intent: string;
  readonly request: StoredRequest;
  readonly call: CallRef;
}

/**
 * What a registered generation waits for before reconciliation sends it: that a paused tool or provider is resumed, or
 * that reconciliation comes to what a person wants done once more.
 */
export type WaitsFor = 'resume' | 'redo';

/** Registered and not sent: the call is told so, and reconciliation sends it when nothing hinders it any more. */
export interface WaitingEvent {
  readonly kind: 'waiting';
  readonly generation: number;
  readonly call: CallRef;
  readonly waitsFor: WaitsFor;
  /** Of a deliberate second effect: whose repetition it is, and who wants it why. */
  readonly redo?: { readonly of: string; readonly by: string; readonly note: string };
}

/** A call of a session that had no part in it was told something unfinished: its customer will hear how it ends. */
export interface ToldEvent {
  readonly kind: 'told';
  readonly generation: number;
  readonly call: CallRef;
}

/** The promise to send: committed before the first byte leaves (rule 1). */
export interface MarkedEvent {
  readonly kind: 'marked';
  readonly generation: number;
  /** The nth send of the generation, from 1. */
  readonly attempt: number;
  readonly call: CallRef;
  /** Ledger time of the read the decision rests on (rule 3). */
  readonly decidedAt: Instant;
  /** It leaves before this, or never. */
  readonly sendBy: Instant;
  /** What was written arrives before this, or never. */
  readonly arriveBy: Instant;
  /** Its answer is waited for until this; after it, an attempt without an answer is read as unknown. */
  readonly answerBy: Instant;
}

/** How an attempt ended. A second one for the same attempt is an answer that came after its time-out. */
export interface AnsweredEvent {
  readonly kind: 'answered';
  readonly generation: number;
  readonly attempt: number;
  readonly call: CallRef;
  readonly outcome: Outcome;
}

/** What a query, a webhook or a fence found. */
export interface EvidenceEvent {
  readonly kind: 'evidence';
  readonly source: 'query' | 'webhook' | 'fence';
  /** The generation that was current when it was recorded. */
  readonly generation: number;
  /** A ledger time not later than the moment the look began. */
  readonly begunAt: Instant;
  readonly evidence: Evidence;
  /** Absence that the contract calls proof (rule 8), judged when it was recorded. */
  readonly final: boolean;
}

/** A call that will mark nothing any more (rule 13). It may be an operation's first event. */
export interface ClosedEvent {
  readonly kind: 'closed';
  readonly generation: number;
  readonly tool: string;
  readonly provider: string;
  readonly call: CallRef;
  readonly why: string;
}

/** Never sent, and will not be under this registration. */
export interface DroppedEvent {
  readonly kind: 'dropped';
  readonly generation: number;
  readonly why: string;
}

/** Put before a person for want of an answer. Alarms need no event: they are read from the evidence (rule 11). */
export interface EscalatedEvent {
  readonly kind: 'escalated';
  readonly generation: number;
  readonly reason: string;
}

/** A person's word. */
export interface ResolvedEvent {
  readonly kind: 'resolved';
  readonly generation: number;
  readonly by: string;
  readonly note: string;
  /** The version the person had before them: the facts up to it are known to them, newer ones are not. */
  readonly sawVersion: number;
  readonly verdict: PersonVerdict;
  /** The operation that a person had registered in the place of this one, which thereby ended for good. */
  readonly redoneAs?: string;
}

/** What a person says: the effect exists, under this number; or there is none and none can come. `allowResend`: their leave to do it after all. */
export type PersonVerdict =
  | { readonly as: 'confirmed'; readonly externalId: string }
  | { readonly as: 'rejected'; readonly allowResend: boolean };
