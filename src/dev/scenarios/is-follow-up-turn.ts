import type { TranscriptTurn } from '../../conversations/transcript';

/** Whether a settlement began the turn, and no message of the customer. */
export function isFollowUpTurn(turn: TranscriptTurn & { readonly kind?: string }): boolean {
  return turn.kind === 'follow_up';
}
