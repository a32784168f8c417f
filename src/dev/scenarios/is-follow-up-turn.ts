import type { TranscriptTurn } from '../../conversations/transcript';

/** Whether a settlement began the turn, and no message of the customer. */
export function isFollowUpTurn(_turn: TranscriptTurn): boolean {
  // WIRING: `turn.kind === 'follow_up'`, once transcripts tell the kind.
  return false;
}
