import { APICallError, generateText, jsonSchema, type LanguageModel, type ModelMessage, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import type { ModelAnswer, ModelCall } from '../conversations/plan';
import type { Catalogue } from '../tools/catalogue';
import { ModelCallError } from './activity-errors';
import { promptCallId } from './model-prompt';

export interface ModelQuestion {
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly messages: ModelMessage[];
  readonly catalogue: Catalogue;
  readonly turn: number;
  readonly step: number;
  readonly abortSignal: AbortSignal;
}

/** One model call, one try: repeating it is Temporal's. Throws ModelCallError. */
export async function askModel(question: ModelQuestion): Promise<ModelAnswer> {
  const { model, instructions, messages, catalogue, turn, step, abortSignal } = question;
  const result = await generateText({
    model,
    instructions,
    messages,
    tools: toolSet(catalogue),
    maxRetries: 0,
    abortSignal,
  }).catch((error: unknown) => {
    throw new ModelCallError(error, !APICallError.isInstance(error) || error.isRetryable);
  });
  const calls = result.toolCalls.map((call, position): ModelCall => {
    const malformed = call.invalid === true ? messageOf(call.error) : null;
    return { position, tool: call.toolName, input: call.input ?? null, malformed, modelCallId: call.toolCallId };
  });
  return { text: result.text, messages: withOurIds(result.response.messages, turn, step), calls };
}

/** No `execute`: the SDK hands the calls back, and they become activities. Arguments are checked by our own parse. */
function toolSet(catalogue: Catalogue): ToolSet {
  return Object.fromEntries(
    [...catalogue.values()].map(({ name, description, input }) => [
      name,
      tool({ description, inputSchema: jsonSchema(() => z.toJSONSchema(input, { io: 'input' }) as never) }),
    ]),
  );
}

/** The assistant's messages alone: the SDK adds a result of its own to calls it could not read. */
function withOurIds(messages: readonly { role: string; content: unknown }[], turn: number, step: number): unknown[] {
  let position = 0;
  const ours = (part: unknown): unknown => {
    if (!isToolCall(part)) return part;
    return { ...part, toolCallId: promptCallId(turn, step, position++) };
  };
  return messages
    .filter(({ role }) => role === 'assistant')
    .map((message) => ({
      ...message,
      content: Array.isArray(message.content) ? message.content.map(ours) : message.content,
    }));
}

function isToolCall(part: unknown): part is { type: 'tool-call' } {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'tool-call';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
