import type { TranscriptTurn } from '../../conversations/transcript';

/** Whether a settlement began the turn, and no message of the customer. */
export function isFollowUpTurn({ kind }: TranscriptTurn): boolean {
  return kind === 'follow_up';
}
