import { gateway, type LanguageModel, wrapLanguageModel } from 'ai';

/**
 * The model with our IDs in its tool calls, and names that can be shown again. The AI SDK finds a call's tool and
 * arguments by the call's ID, and some endpoints repeat theirs: the second call of an answer would then be made with
 * the arguments of the first.
 * `theirs` gets the model's own IDs, in the order of the calls.
 */
export function withOwnCallIds(
  model: LanguageModel,
  idOf: (position: number) => string,
  theirs: string[],
): LanguageModel {
  return wrapLanguageModel({
    model: typeof model === 'string' ? defaultProvider().languageModel(model) : model,
    middleware: {
      specificationVersion: 'v4',
      wrapGenerate: async ({ doGenerate }) => {
        const answer = await doGenerate();
        const content = answer.content.map((part) => {
          if (part.type !== 'tool-call') return part;
          const toolCallId = idOf(theirs.push(part.toolCallId) - 1);
          return { ...part, toolCallId, toolName: writableName(part.toolName) };
        });
        return { ...answer, content };
      },
    },
  });
}

/** A name that models invent (`functions.refund`) is shown to the endpoint again in every later prompt, and it must take it. */
function writableName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_';
}

/** What the AI SDK itself takes a model's name to. */
function defaultProvider(): { languageModel(modelId: string): Exclude<LanguageModel, string> } {
  return globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway;
}
