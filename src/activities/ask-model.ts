import { APICallError, generateText, jsonSchema, type LanguageModel, type ModelMessage, type ToolSet, tool } from 'ai';
import type { ModelAnswer, ModelCall } from '../conversations/plan';
import { shorten } from '../operations/outcome';
import type { Catalogue } from '../tools/catalogue';
import { inputSchemaOf } from '../tools/input-schema';
import { ModelCallError } from './activity-errors';
import { promptCallId } from './model-prompt';
import { withOwnCallIds } from './own-call-ids';

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
  const modelCallIds: string[] = [];
  const result = await generateText({
    model: withOwnCallIds(model, (position) => promptCallId(turn, step, position), modelCallIds),
    // Anthropic's API refuses an empty system prompt.
    ...(instructions === '' ? {} : { instructions }),
    messages,
    tools: toolSet(catalogue),
    maxRetries: 0,
    abortSignal,
  }).catch((error: unknown) => {
    throw new ModelCallError(error, !APICallError.isInstance(error) || error.isRetryable);
  });
  const calls = result.toolCalls.map((call, position): ModelCall => {
    const malformed = call.invalid === true ? shorten(messageOf(call.error)) : null;
    const modelCallId = modelCallIds[position] ?? '';
    return { position, tool: call.toolName, input: call.input ?? null, malformed, modelCallId };
  });
  if (calls.length === 0 && result.text.trim() === '') {
    throw new ModelCallError(new Error('it answered with nothing'), true);
  }
  return { text: result.text, messages: assistantMessages(result.response.messages), calls };
}

/** No `execute`: the SDK hands the calls back, and they become activities. Arguments are checked by our own parse. */
function toolSet(catalogue: Catalogue): ToolSet {
  return Object.fromEntries(
    [...catalogue.values()].map(({ name, description, input }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchemaOf(name, input) as never) }),
    ]),
  );
}

/**
 * The assistant's messages alone: the SDK adds a result of its own to calls it could not read. Arguments are an object
 * in every prompt, since some endpoints refuse a conversation that shows them others; what the model wrote is told by
 * the call's result.
 */
function assistantMessages(messages: readonly { role: string; content: unknown }[]): unknown[] {
  const shown = (part: unknown): unknown => {
    if (!isToolCall(part) || isRecord(part.input)) return part;
    return { ...part, input: {} };
  };
  return messages
    .filter(({ role }) => role === 'assistant')
    .map((message) => ({
      ...message,
      content: Array.isArray(message.content) ? message.content.map(shown) : message.content,
    }));
}

function isToolCall(part: unknown): part is { type: 'tool-call'; input: unknown } {
  return isRecord(part) && part['type'] === 'tool-call';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
