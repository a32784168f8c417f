import type { CallPlace, SessionRef, StepRef, TurnRef } from '../conversations/refs';
import type { TurnOutcome } from '../conversations/turns';
import type { ReplyCode } from '../operations/reply';

/**
 * What crosses between workflow and activities. Histories carry references and short facts; texts, arguments and
 * results stay in the conversation's rows.
 */
export interface OfLedger {
  /** The ledger that the turn is in; left out in turns of before there was one to name. */
  readonly ledger?: string;
}

export type CallModelInput = StepRef & OfLedger;

export interface CallModelResult {
  /** The calls to schedule, in the order of the answer. Empty where the turn has ended: its row says how. */
  readonly calls: readonly ScheduledCall[];
  readonly ended: boolean;
}

export interface ScheduledCall {
  readonly position: number;
  /** Also the activity's type. */
  readonly tool: string;
  /** The activity's summary in Temporal's UI; null for read-only tools. */
  readonly operationId: string | null;
  readonly options: CallOptions;
}

/** How one tool's activity is scheduled. Time-outs are in milliseconds, and stem from its provider's contract. */
export interface CallOptions {
  readonly startToCloseMs: number;
  readonly heartbeatMs: number;
  readonly scheduleToCloseMs: number;
  /** The tool's own queue; left out where it has none, since histories carry it. */
  readonly taskQueue?: string;
}

export type CallToolInput = CallPlace & OfLedger;

export interface CallToolResult {
  readonly code: ReplyCode;
  readonly operationId: string | null;
  readonly externalId: string | null;
}

export interface CloseCallInput extends CallPlace, OfLedger {
  readonly why: string;
}

/** The session to run: references and numbers only, since it stands in the history. */
export interface AgentSessionInput extends SessionRef, OfLedger {
  /** Model calls each of its turns may take. */
  readonly maxSteps: number;
  /** Whether the namespace knows the toolkit's search attributes: an unregistered one would stall the workflow. */
  readonly searchAttributes?: boolean;
  /** Turns after which the workflow continues as new; when Temporal suggests it unless given. */
  readonly turnsPerRun?: number;
}

/** The signal's name: a hint that the session's rows have something to do. */
export type WakeSignal = 'sendonce.wake';

export type NextTurnInput = SessionRef & OfLedger;

/** What a session does next. */
export interface NextTurn {
  /** Null where nothing is left to run. */
  readonly turn: { readonly turn: number; readonly workflowId: string; readonly summary: string } | null;
  /** Turns whose words are to be handed to the hook. */
  readonly undelivered: readonly number[];
}

export type SettleTurnInput = TurnRef & OfLedger;

export type DeliverInput = TurnRef & OfLedger;

export interface EndTurnInput extends TurnRef, OfLedger {
  readonly outcome: Exclude<TurnOutcome, 'answered'>;
}

/** The toolkit's own activities; the dot keeps tool names apart from them. */
export interface InternalActivities {
  'sendonce.callModel'(input: CallModelInput): Promise<CallModelResult>;
  'sendonce.closeCall'(input: CloseCallInput): Promise<CallToolResult>;
  'sendonce.endTurn'(input: EndTurnInput): Promise<void>;
  'sendonce.nextTurn'(input: NextTurnInput): Promise<NextTurn>;
  'sendonce.settleTurn'(input: SettleTurnInput): Promise<void>;
  'sendonce.deliver'(input: DeliverInput): Promise<void>;
}
