import { createAnthropic } from '@ai-sdk/anthropic';
import { z } from 'zod';
import type { Said, Wire } from './model-endpoint';

/** Anthropic's Messages API: its shapes, and what it refuses, after its reference ("Create a Message", "Errors"). */
const text = z.object({ type: z.literal('text'), text: z.string().regex(/\S/, 'text blocks must be non-whitespace') });
const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  input: z.record(z.string(), z.unknown()),
});
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(text)]).optional(),
  is_error: z.boolean().optional(),
});
const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.array(z.union([text, toolResult])).min(1) }),
  z.object({ role: z.literal('assistant'), content: z.array(z.union([text, toolUse])).min(1) }),
]);
const createMessage = z.object({
  model: z.string(),
  max_tokens: z.int().positive(),
  messages: z.array(message).min(1),
  system: z.array(text).min(1).optional(),
  tools: z
    .array(
      z.object({
        name: z.string(),
        description: z.string(),
        input_schema: z.looseObject({ type: z.literal('object') }),
      }),
    )
    .optional(),
});
type Body = z.infer<typeof createMessage>;

/** Every tool_use has one ID, and its result in the next message; no result stands alone. */
function unpaired({ messages }: Body): string | null {
  const idsOf = (index: number, type: 'tool_use' | 'tool_result') =>
    (messages[index]?.content ?? []).flatMap((block) => {
      if (block.type === 'text' || block.type !== type) return [];
      return block.type === 'tool_use' ? block.id : block.tool_use_id;
    });
  const all = messages.flatMap((_message, index) => idsOf(index, 'tool_use'));
  if (new Set(all).size < all.length) return 'messages: `tool_use` ids must be unique';
  for (const [index] of messages.entries()) {
    const used = idsOf(index, 'tool_use').sort().join();
    const results = idsOf(index + 1, 'tool_result')
      .sort()
      .join();
    if (used !== results)
      return `messages.${index}: \`tool_use\` ids [${used}] with \`tool_result\` blocks [${results}]`;
  }
  return messages[0]?.role === 'user' ? null : 'messages: first message must use the "user" role';
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export const anthropicWire: Wire = {
  name: 'anthropic',
  path: '/v1/messages',
  requestIdHeader: 'request-id',
  model: (baseURL, apiKey) => createAnthropic({ baseURL, apiKey })('claude-sonnet-4-5'),
  refusal: ({ headers, body }, apiKey) => {
    if (headers['x-api-key'] !== apiKey) return { status: 401, message: 'invalid x-api-key' };
    if (headers['anthropic-version'] !== '2023-06-01') return { status: 400, message: 'anthropic-version: required' };
    const parsed = createMessage.safeParse(body);
    const wrong = parsed.success ? unpaired(parsed.data) : z.prettifyError(parsed.error);
    return wrong === null ? null : { status: 400, message: wrong };
  },
  answer: ({ text: words, calls = [] }: Said, index) => ({
    ...{ id: `msg_${index}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' },
    content: [
      ...(words === undefined ? [] : [{ type: 'text', text: words }]),
      ...calls.map(({ id, tool, input = {} }, position) => ({
        ...{ type: 'tool_use', id: id ?? `toolu_${index}_${position}`, name: tool, input },
      })),
    ],
    ...{ stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { input_tokens: 100, output_tokens: 10 },
  }),
  error: (status, words, requestId) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message: words },
    request_id: requestId,
  }),
  schemas: (body) => {
    const { tools = [] } = createMessage.parse(body);
    return Object.fromEntries(tools.map(({ name, input_schema }) => [name, input_schema]));
  },
  results: (body) =>
    createMessage
      .parse(body)
      .messages.flatMap(({ content }) => [...content])
      .flatMap((block) => {
        if (block.type !== 'tool_result') return [];
        return { id: block.tool_use_id, text: block.content, isError: block.is_error ?? false };
      }),
  system: (body) =>
    createMessage
      .parse(body)
      .system?.map((block) => block.text)
      .join(''),
};
