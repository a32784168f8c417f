import type { ZodType } from 'zod';
import type { OperationId } from '../operations/operation-id';
import type { ReplyCode } from '../operations/reply';
import type { Provider } from '../providers/provider';
import type { Caller } from './caller';
import type { ToolScheduling } from './scheduling';

/** What a worker is given: made by `defineOperation` and `defineTool`. */
export type Tool = OperationTool | ReadTool;

interface ToolBase {
  /** What the model calls it; also the type of its activity in Temporal. */
  readonly name: string;
  /** For the model. */
  readonly description: string;
  /** The arguments; descriptions of its fields reach the model. */
  readonly input: ZodType;
  /** Without it the calls run on the worker's queue. */
  readonly scheduling?: ToolScheduling;
}

/** A tool that changes the outside world, once an operation. */
export interface OperationTool extends ToolBase {
  readonly kind: 'operation';
  readonly provider: Provider<unknown>;
  /** Authorises, reads and computes; no side effects. Throws RefusedError to refuse. `input` is parsed. */
  plan(input: unknown, caller: Caller): Promise<OperationPlan>;
}

/** One call's operation, before anything is registered. */
export interface OperationPlan {
  readonly operationId: OperationId;
  /** Canonical JSON of what must not change within a generation. */
  readonly intent: string;
  /** Computes the business request; called once a generation. */
  request(): Promise<unknown>;
}

/** A tool that only reads: a plain activity, retried freely. */
export interface ReadTool extends ToolBase {
  readonly kind: 'read';
  /** Gives what the model reads, as text or as JSON. Throws RefusedError to refuse. `input` is parsed. */
  run(input: unknown, caller: Caller): Promise<unknown>;
  /** Of the built-in status tool: whose standing an output tells. What it tells is not told again later. */
  readonly standingIn?: (output: unknown) => Standing;
}

/** Where one operation stands, as the code of a reply. */
export interface Standing {
  readonly operationId: string;
  readonly code: ReplyCode;
}

/** Names that models accept. Internal activities have a dot in theirs, so no tool's name can be one of them. */
const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

export function checkToolName(name: string): void {
  if (!TOOL_NAME.test(name)) {
    throw new TypeError(
      `The tool name ${JSON.stringify(name)} must be 1 to 64 letters, digits, _ and -, and begin with a letter.`,
    );
  }
}
