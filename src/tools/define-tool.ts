import type { ZodType, z } from 'zod';
import type { Caller } from './caller';
import { inputSchemaOf } from './input-schema';
import { checkScheduling, type ToolScheduling } from './scheduling';
import { checkToolName, type ReadTool } from './tool';

/** What `defineTool` takes. */
export interface ToolDefinition<Input extends ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /**
   * Reads and gives what the model shall see, as text or JSON. It may run many times, so it must change nothing.
   * Throw RefusedError to refuse, with the same words for what is absent and for what is somebody else's; any other
   * error is retried.
   */
  readonly run: (input: z.output<Input>, caller: Caller) => unknown;
  /** A task queue of its own, with limits; without it the calls run on the worker's queue. */
  readonly scheduling?: ToolScheduling;
}

/** A read-only tool: a plain activity, freely retried. What changes the outside world is a `defineOperation`. */
export function defineTool<Input extends ZodType>(definition: ToolDefinition<Input>): ReadTool {
  const { name, description, input, run, scheduling } = definition;
  checkToolName(name);
  inputSchemaOf(name, input);
  if (scheduling) checkScheduling(name, scheduling);
  return {
    kind: 'read',
    name,
    description,
    input,
    ...(scheduling ? { scheduling } : {}),
    // The worker passes what `input` gave; the type is lost only between the two.
    run: async (parsed, caller) => run(parsed as z.output<Input>, caller),
  };
}
