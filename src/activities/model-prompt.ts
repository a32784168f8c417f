import type { ModelMessage } from 'ai';
import type { TranscriptStep, TranscriptTurn } from '../conversations/transcript';

/** The conversation in the AI SDK's form, for the next model call. */
export function modelPrompt(transcript: readonly TranscriptTurn[]): ModelMessage[] {
  const messages = transcript.flatMap((turn): ModelMessage[] => {
    const asked: ModelMessage = { role: 'user', content: turn.kind === 'message' ? turn.message : told(turn.message) };
    const steps = turn.steps.flatMap((step) => stepMessages(turn.turn, step));
    // What a turn told without the model (a step limit, a failure) is part of what the customer has read.
    const end = turn.outcome !== null && turn.outcome !== 'answered' && turn.reply !== null ? turn.reply : null;
    return end === null ? [asked, ...steps] : [asked, ...steps, { role: 'assistant', content: end }];
  });
  return wellFormed(messages);
}

/** No role of its own: not every endpoint takes a system message amid a conversation. */
function told(notice: string): string {
  return `[This comes from the system, not from the customer.] ${notice} Tell the customer, in one short message and in their language. Call no tool for it.`;
}

/**
 * Half of a character (an emoji cut in two, or what somebody sent) is kept in the rows to the letter, but no JSON
 * parser has to take it: endpoints refuse the request, and with it every later turn of the conversation.
 */
function wellFormed<T>(value: T): T;
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map((item: unknown) => wellFormed(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name.toWellFormed(), wellFormed(child)]));
}

/** The ID that pairs a call with its result in prompts. Ours, since some endpoints repeat theirs. */
export function promptCallId(turn: number, step: number, position: number): string {
  return `call_${turn}_${step}_${position}`;
}

function stepMessages(turn: number, { step, answer, results }: TranscriptStep): ModelMessage[] {
  // Stored as the AI SDK gave them; the conversation's rows know nothing of its types.
  const assistant = answer.messages as ModelMessage[];
  if (answer.calls.length === 0) return assistant;
  const replies = new Map(results.map(({ position, reply }) => [position, reply]));
  return [
    ...assistant,
    {
      role: 'tool',
      content: answer.calls.map(({ position, tool }) => {
        const reply = replies.get(position);
        return {
          type: 'tool-result',
          toolCallId: promptCallId(turn, step, position),
          toolName: tool,
          output: {
            // Anthropic's API gets `is_error` from error-text; others get the text alone.
            type: reply === undefined || reply.isError ? 'error-text' : 'text',
            value: reply?.text ?? 'This call was broken off. Ask operation_status what became of it.',
          },
        } as const;
      }),
    },
  ];
}
