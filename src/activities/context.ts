import type { LanguageModel } from 'ai';
import type { FollowUpMessage } from '../conversations/follow-ups';
import type { SessionRef } from '../conversations/refs';
import type { Database } from '../ledger/database';
import type { Ledger } from '../ledger/ledger';
import type { PerformLimits } from '../operations/perform';
import type { Catalogue } from '../tools/catalogue';
import type { OnEscalated } from './announce';
import type { Hints } from './hints';
import type { LateAnswers } from './late-answers';
import type { ReconciliationLimits } from './reconciliation-limits';

/** What the worker wires for its activities. */
export interface ActivityContext {
  readonly database: Database;
  readonly ledger: Ledger;
  /** Its name: activities of another ledger's turns are not taken. */
  readonly ledgerId: string;
  readonly lateAnswers: LateAnswers;
  readonly catalogue: Catalogue;
  readonly model: LanguageModel;
  /** The system prompt. */
  readonly instructions: string;
  readonly limits: CallLimits;
  /** Takes what the customer is told later; null where nobody wants it. */
  readonly deliver: ((message: FollowUpMessage) => Promise<void>) | null;
  readonly reconciliation: ReconciliationLimits;
  /** Says that something may be due. */
  readonly hints: Hints;
  readonly onEscalated: OnEscalated;
  /** Lets a session look for what it has to tell. Throws where Temporal is out of reach. */
  wakeSession(session: WaitingSession): Promise<void>;
}

/** A session that has something to tell; null fields where a release before them opened it. */
export interface WaitingSession extends SessionRef {
  readonly taskQueue: string | null;
  readonly maxSteps: number | null;
}

export interface CallLimits extends PerformLimits {
  /** A worker that is silent for this long is taken for dead, and the call is run again. */
  readonly heartbeatWithinMs: number;
  /** How long one call may be tried in all before the workflow closes it. */
  readonly callWithinMs: number;
}
