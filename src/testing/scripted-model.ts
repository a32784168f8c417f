import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';

/** What a script sees of the conversation at one model call. */
export interface ScriptView {
  /** The customer's messages, oldest first. */
  readonly said: readonly string[];
  /** Results of all tool calls so far, oldest first. */
  readonly results: readonly ScriptResult[];
  /** Names of the tools on offer. */
  readonly tools: readonly string[];
}

/** What one tool call told the model. */
export interface ScriptResult {
  /** After which of the customer's messages, from 1. */
  readonly turn: number;
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
}

/** What the model answers: words, tool calls, or both. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: unknown }[];
}

/** A model in a few lines: what it answers to what it sees. It may be asked again for the same view. */
export type Script = (view: ScriptView) => ScriptedAnswer | Promise<ScriptedAnswer>;

/**
 * A language model of the AI SDK whose answers are computed by a script from what it is shown, and from nothing else:
 * like a real model it keeps no memory between calls, so any worker process can carry a conversation on.
 */
export function scriptedModel(script: Script, modelId = 'scripted'): LanguageModelV4 {
  let calls = 0;
  return {
    specificationVersion: 'v4',
    provider: 'sendonce-testing',
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => {
      const { text, calls: toolCalls = [] } = await script(viewOf(options));
      const content: LanguageModelV4Content[] = text === undefined ? [] : [{ type: 'text', text }];
      for (const { tool, input } of toolCalls) {
        const toolCallId = `scripted_${++calls}`;
        content.push({ type: 'tool-call', toolCallId, toolName: tool, input: JSON.stringify(input) });
      }
      return answerOf(content, toolCalls.length > 0);
    },
    doStream: () => Promise.reject(new Error('The scripted model does not stream.')),
  };
}

function answerOf(content: LanguageModelV4Content[], calling: boolean): LanguageModelV4GenerateResult {
  const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    content,
    finishReason: { unified: calling ? 'tool-calls' : 'stop', raw: undefined },
    usage: { inputTokens: none, outputTokens: { total: 0, text: 0, reasoning: 0 } },
    warnings: [],
  };
}

function viewOf({ prompt, tools = [] }: LanguageModelV4CallOptions): ScriptView {
  const said: string[] = [];
  const results: ScriptResult[] = [];
  for (const message of prompt) {
    if (message.role === 'user') {
      said.push(message.content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
    }
    if (message.role === 'tool') {
      for (const part of message.content) {
        if (part.type !== 'tool-result') continue;
        const { type } = part.output;
        const text = type === 'text' || type === 'error-text' ? part.output.value : JSON.stringify(part.output);
        results.push({
          turn: said.length,
          tool: part.toolName,
          text,
          isError: type === 'error-text' || type === 'error-json',
        });
      }
    }
  }
  return { said, results, tools: tools.map((tool) => tool.name) };
}
