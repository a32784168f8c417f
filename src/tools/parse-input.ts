import { z } from 'zod';
import type { Tool } from './tool';

export type ParsedInput =
  | { readonly kind: 'valid'; readonly input: unknown }
  | { readonly kind: 'invalid'; readonly message: string };

/** Checks what the model wrote. The message names each field and what is wrong with it. */
export async function parseInput(tool: Tool, input: unknown): Promise<ParsedInput> {
  const parsed = await tool.input.safeParseAsync(input);
  if (parsed.success) return { kind: 'valid', input: parsed.data };
  return { kind: 'invalid', message: `The arguments of ${tool.name} are not valid. ${z.prettifyError(parsed.error)}` };
}
