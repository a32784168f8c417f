import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { type Script, scriptedModel } from '../../src/testing/scripted-model';

export interface PromptLine {
  readonly role: string;
  readonly text: string;
}

/** A scripted model, and every prompt it was given, in short. */
export function promptsOf(script: Script): { readonly model: LanguageModelV4; readonly prompts: PromptLine[][] } {
  const prompts: PromptLine[][] = [];
  const model = scriptedModel(script);
  return {
    prompts,
    model: {
      ...model,
      doGenerate: (options) => {
        prompts.push(options.prompt.filter(({ role }) => role !== 'system').map(inShort));
        return model.doGenerate(options);
      },
    },
  };
}

function inShort({ role, content }: LanguageModelV4Prompt[number]): PromptLine {
  if (typeof content === 'string') return { role, text: content };
  const text = content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'tool-call') return `call ${part.toolName}`;
    if (part.type !== 'tool-result') return part.type;
    return part.output.type === 'text' || part.output.type === 'error-text' ? part.output.value : part.output.type;
  });
  return { role, text: text.join('\n') };
}
