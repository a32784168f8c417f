import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { z } from 'zod';
import type { Said, Wire } from './model-endpoint';

/** OpenAI's chat completions: their shapes, and what they refuse, after their reference ("Create chat completion"). */
const call = z.object({
  id: z.string().min(1).max(64),
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    arguments: z.string().refine(isJsonObject, 'arguments must be a JSON object'),
  }),
});
const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    tool_calls: z.array(call).min(1).optional(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);
const createCompletion = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  tools: z
    .array(
      z.object({
        type: z.literal('function'),
        function: z.object({
          name: z.string(),
          description: z.string(),
          parameters: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    )
    .optional(),
});
type Body = z.infer<typeof createCompletion>;

/** After an assistant message with calls come the results of exactly these, and nowhere else does one stand. */
function unpaired({ messages }: Body): string | null {
  const open = new Set<string>();
  for (const [index, one] of messages.entries()) {
    if (one.role === 'tool') {
      if (!open.delete(one.tool_call_id)) return `messages.[${index}]: no tool_calls precede '${one.tool_call_id}'`;
      continue;
    }
    if (open.size > 0) return `messages.[${index}]: tool_call_ids without response: ${[...open].join()}`;
    const calls = one.role === 'assistant' ? (one.tool_calls ?? []) : [];
    if (one.role === 'assistant' && calls.length === 0 && !one.content) return `messages.[${index}]: content is null`;
    for (const { id } of calls) {
      if (open.has(id)) return `messages.[${index}]: duplicate tool call id ${id}`;
      open.add(id);
    }
  }
  return open.size === 0 ? null : `tool_call_ids without response: ${[...open].join()}`;
}

function isJsonObject(words: string): boolean {
  try {
    const value: unknown = JSON.parse(words);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export const openaiWire: Wire = {
  name: 'openai-compatible',
  path: '/v1/chat/completions',
  requestIdHeader: 'x-request-id',
  model: (baseURL, apiKey) => createOpenAICompatible({ name: 'local', baseURL, apiKey })('gpt-test'),
  refusal: ({ headers, body }, apiKey) => {
    if (headers.authorization !== `Bearer ${apiKey}`) {
      return { status: 401, message: `Incorrect API key provided: ${headers.authorization}.` };
    }
    const parsed = createCompletion.safeParse(body);
    const wrong = parsed.success ? unpaired(parsed.data) : z.prettifyError(parsed.error);
    return wrong === null ? null : { status: 400, message: wrong };
  },
  answer: ({ text, calls = [] }: Said, index) => ({
    ...{ id: `chatcmpl-${index}`, object: 'chat.completion', created: 1_767_225_600, model: 'gpt-test' },
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text ?? null,
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map(({ id, tool, input = {} }, position) => ({
                  ...{ id: id ?? `call_${index}_${position}`, type: 'function' },
                  function: { name: tool, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
                })),
              }),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  }),
  error: (status, message) => ({
    error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', param: null, code: null },
  }),
  schemas: (body) => {
    const { tools = [] } = createCompletion.parse(body);
    return Object.fromEntries(tools.map((tool) => [tool.function.name, tool.function.parameters]));
  },
  results: (body) =>
    createCompletion.parse(body).messages.flatMap((one) => {
      if (one.role !== 'tool') return [];
      return { id: one.tool_call_id, text: one.content, isError: undefined };
    }),
  system: (body) =>
    createCompletion
      .parse(body)
      .messages.flatMap((one) => (one.role === 'system' ? one.content : []))
      .join(''),
};
