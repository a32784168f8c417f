import type { Tool } from './tool';

/** Two tools share a name, or one takes a name of ours. The worker does not start. */
export class ToolNameTakenError extends Error {
  readonly code = 'SENDONCE_TOOL_NAME_TAKEN';
  override readonly name = 'ToolNameTakenError';
  constructor(readonly tool: string) {
    super(`There are two tools named ${tool}. Rename one: a name is the model's word and the activity's type.`);
  }
}

/** The worker's tools by name. */
export type Catalogue = ReadonlyMap<string, Tool>;

/** Throws ToolNameTakenError. */
export function catalogueOf(tools: readonly Tool[]): Catalogue {
  const catalogue = new Map<string, Tool>();
  for (const tool of tools) {
    if (catalogue.has(tool.name)) throw new ToolNameTakenError(tool.name);
    catalogue.set(tool.name, tool);
  }
  return catalogue;
}
