import type { Hints } from '../activities/hints';
import type { Database } from '../ledger/database';
import { listPauses, type PauseEnd, type PauseSummary, pause, type ResumeEnd, resume } from '../ledger/pauses';
import type { Pause } from '../operations/pause';
import { askDatabase } from './waiting';

/** Tools and providers that send nothing until somebody resumes them. Queries, webhooks and calls go on. */
export interface Pauses {
  /** The oldest first. Throws DatabaseUnreachableError. */
  list(): Promise<readonly PauseSummary[]>;
  /**
   * Nobody decides to send for it any more; what was decided before may leave within its send deadline. What is paused
   * already stays the pause of whoever paused it. Throws PauseInvalidError, or as `list` does.
   */
  pause(what: Pause, by: { readonly by: string; readonly note: string }): Promise<PauseEnd>;
  /** What waited is due now: reconciliation sends it. Throws as `pause` does. */
  resume(what: Pause): Promise<ResumeEnd>;
}

interface PausesParts {
  readonly database: Database;
  readonly closing: AbortSignal;
  readonly hints: Hints;
}

export function pausesIn(parts: PausesParts): Pauses {
  return {
    list: () => askDatabase(parts, listPauses),
    pause: ({ kind, name }, { by, note }) =>
      askDatabase(parts, (database) => pause(database, { kind, name, by, note })),
    resume: async ({ kind, name }) => {
      const end = await askDatabase(parts, (database) => resume(database, { kind, name }));
      parts.hints.hint();
      return end;
    },
  };
}
