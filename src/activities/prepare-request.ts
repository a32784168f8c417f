import { RefusedError } from '../operations/refused-error';
import type { Caller } from '../tools/caller';
import { parseInput } from '../tools/parse-input';
import type { OperationTool } from '../tools/tool';
import type { Prepared } from './perform';

/** What a call wants sent, and for which operation it was planned. */
export interface RequestToPrepare {
  readonly operationId: string;
  readonly key: string;
  /** The model's arguments, as they came. */
  readonly input: unknown;
  readonly caller: Caller;
}

/** Authorises the call once more, reads, and writes the request of a generation down. */
export async function prepareRequest(
  tool: OperationTool,
  { operationId, key, input, caller }: RequestToPrepare,
): Promise<Prepared> {
  const parsed = await parseInput(tool, input);
  if (parsed.kind === 'invalid') return { kind: 'refused', message: parsed.message };
  try {
    const plan = await tool.plan(parsed.input, caller);
    if (plan.operationId !== operationId) {
      return {
        kind: 'refused',
        message: 'What this call is about has changed since it was planned. Look it up again.',
      };
    }
    const request = tool.provider.encode(await plan.request(), { operationId, key });
    return { kind: 'prepared', request, intent: plan.intent };
  } catch (error) {
    if (error instanceof RefusedError) return { kind: 'refused', message: error.message };
    throw error;
  }
}
