import { randomUUID } from 'node:crypto';
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, type ToolSet, tool } from 'ai';
import type { ModelAnswer, ModelCall, ModelRequestIds } from '../conversations/plan';
import { shorten } from '../operations/outcome';
import type { Catalogue } from '../tools/catalogue';
import { inputSchemaOf } from '../tools/input-schema';
import { ModelCallError } from './model-call-error';
import { modelFailure } from './model-failure';
import { promptCallId } from './model-prompt';
import { withOwnCallIds } from './own-call-ids';
import { requestIdOf } from './request-id';

export interface ModelQuestion {
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly messages: ModelMessage[];
  readonly catalogue: Catalogue;
  readonly turn: number;
  readonly step: number;
  readonly abortSignal: AbortSignal;
}

export interface AskedModel {
  readonly answer: ModelAnswer;
  readonly requestIds: ModelRequestIds;
}

/** One model call, one request: repeating it is Temporal's. Throws ModelCallError. */
export async function askModel(question: ModelQuestion): Promise<AskedModel> {
  const modelCallIds: string[] = [];
  // A new one each send, so that support can tell the sends apart. No idempotency key: a model call needs none.
  const clientRequestId = randomUUID();
  const result = await generate(question, clientRequestId, modelCallIds).catch((error: unknown) => {
    throw new ModelCallError(modelFailure(error, Date.now()), clientRequestId, error);
  });
  const requestId = requestIdOf(result.response.headers ?? {});
  const calls = result.toolCalls.map((call, position): ModelCall => {
    const malformed = call.invalid === true ? shorten(messageOf(call.error)) : null;
    const modelCallId = modelCallIds[position] ?? '';
    return { position, tool: call.toolName, input: call.input ?? null, malformed, modelCallId };
  });
  if (calls.length === 0 && result.text.trim() === '') {
    const nothing = { isRetryable: true, retryAfterMs: null, status: null, words: 'it answered with nothing' };
    throw new ModelCallError({ ...nothing, requestId }, clientRequestId);
  }
  const answer = { text: result.text, messages: assistantMessages(result.response.messages), calls };
  return { answer, requestIds: { clientRequestId, requestId } };
}

/** Async, so that a model that cannot even be made (an unknown name) fails as one that was asked does. */
async function generate(question: ModelQuestion, clientRequestId: string, modelCallIds: string[]) {
  const { model, instructions, messages, catalogue, turn, step, abortSignal } = question;
  return generateText({
    model: withOwnCallIds(model, (position) => promptCallId(turn, step, position), modelCallIds),
    // Anthropic's API refuses an empty system prompt.
    ...(instructions === '' ? {} : { instructions }),
    messages,
    tools: toolSet(catalogue),
    headers: { 'X-Client-Request-Id': clientRequestId },
    maxRetries: 0,
    abortSignal,
  });
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
 * in every prompt, and there is no text of blanks alone, since endpoints refuse a conversation that shows them others;
 * what the model wrote is told by the call's result.
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
      content: Array.isArray(message.content) ? message.content.filter(isNoBlank).map(shown) : message.content,
    }));
}

function isNoBlank(part: unknown): boolean {
  return !isRecord(part) || part['type'] !== 'text' || String(part['text']).trim() !== '';
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
