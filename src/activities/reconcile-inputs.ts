import type { OfLedger } from './activity-inputs';

/** A provider that gave no answer: until when (the ledger's time) it is left alone, and how often in a row. */
export interface BackOff {
  readonly untilMs: number;
  readonly failures: number;
}

/** By the provider's name. */
export type BackOffs = Readonly<Record<string, BackOff>>;

export interface AgendaResult {
  /** The ledger's time, in ms since the Unix epoch. */
  readonly now: number;
  readonly hasWork: boolean;
  readonly nextDueAt: number | null;
  /** Until the workflow looks again. */
  readonly pauseMs: number;
  /** Operations that are not settled, by state. */
  readonly open: Readonly<Record<string, number>>;
  /** Messages that are not told yet. */
  readonly untold: number;
}

export interface PassInput extends OfLedger {
  readonly backOffs: BackOffs;
}

export interface PassResult {
  /** After the pass. */
  readonly agenda: AgendaResult;
  /** Operations that were looked at. */
  readonly looks: number;
  readonly backOffs: BackOffs;
}

/** The activities of the reconciliation; the dot keeps tool names apart from them. */
export interface ReconciliationActivities {
  'sendonce.agenda'(input: OfLedger): Promise<AgendaResult>;
  'sendonce.reconcile'(input: PassInput): Promise<PassResult>;
}
