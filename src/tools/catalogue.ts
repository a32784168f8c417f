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

/** Throws ToolNameTakenError, and TypeError for what is no tool. */
export function catalogueOf(tools: readonly Tool[]): Catalogue {
  const catalogue = new Map<string, Tool>();
  for (const [index, tool] of tools.entries()) {
    if (!isTool(tool)) {
      throw new TypeError(`tools[${index}] is no tool. Make it with defineOperation or defineTool.`);
    }
    if (catalogue.has(tool.name)) throw new ToolNameTakenError(tool.name);
    catalogue.set(tool.name, tool);
  }
  return catalogue;
}

/** In JavaScript anything may stand in the list. A definition that was never passed on is what comes most. */
function isTool(given: unknown): given is Tool {
  if (typeof given !== 'object' || given === null) return false;
  const { kind, name, plan, run } = given as Partial<Record<'kind' | 'name' | 'plan' | 'run', unknown>>;
  if (typeof name !== 'string') return false;
  return (kind === 'operation' && typeof plan === 'function') || (kind === 'read' && typeof run === 'function');
}
