import type { TranscriptTurn } from '../conversations/transcript';
import type { TurnOutcome } from '../conversations/turns';
import type { Reply } from '../operations/reply';
import type { Instant } from '../operations/time';

/** Something that happened in a turn. Times are the ledger's, in ms since the Unix epoch. */
export type TurnUpdate = SaidUpdate | AnsweredUpdate | CallUpdate | EndedUpdate;

interface UpdateBase {
  /** One for each thing that happens, the same for every reader. */
  readonly id: string;
  readonly at: Instant;
}

/** The customer's message is stored. */
export interface SaidUpdate extends UpdateBase {
  readonly kind: 'said';
  readonly text: string;
}

/** The model has answered: words, calls, or both. */
export interface AnsweredUpdate extends UpdateBase {
  readonly kind: 'answered';
  readonly step: number;
  readonly text: string;
  readonly calls: readonly { readonly position: number; readonly tool: string; readonly input: unknown }[];
}

/** A call of a step has its result. */
export interface CallUpdate extends UpdateBase {
  readonly kind: 'call';
  readonly step: number;
  readonly position: number;
  readonly tool: string;
  readonly reply: Reply;
}

/** The turn has ended; nothing follows. */
export interface EndedUpdate extends UpdateBase {
  readonly kind: 'ended';
  readonly outcome: TurnOutcome;
  /** What the customer is told. */
  readonly text: string;
}

/** All of a turn so far, in the order in which it happened. */
export function updatesOf(record: TranscriptTurn): readonly TurnUpdate[] {
  const { at, message, outcome, reply, endedAt, steps } = record;
  const updates: TurnUpdate[] = [{ id: 'said', kind: 'said', at, text: message }];
  for (const { step, at: answeredAt, answer, results } of steps) {
    const calls = answer.calls.map(({ position, tool, input }) => ({ position, tool, input }));
    updates.push({ id: `${step}`, kind: 'answered', at: answeredAt, step, text: answer.text, calls });
    for (const result of [...results].sort((one, other) => one.at - other.at)) {
      const { position, at: toldAt, reply: told } = result;
      const tool = calls.find((call) => call.position === position)?.tool ?? '';
      updates.push({ id: `${step}/${position}`, kind: 'call', at: toldAt, step, position, tool, reply: told });
    }
  }
  if (outcome !== null && reply !== null && endedAt !== null) {
    updates.push({ id: 'ended', kind: 'ended', at: endedAt, outcome, text: reply });
  }
  return updates;
}
