import type { ZodType, z } from 'zod';
import { canonicalDefaultIntent, canonicalIntent } from '../operations/intent';
import { keyMaxLength, keyPrefix } from '../operations/key';
import { checkOperationId, type OperationId } from '../operations/operation-id';
import type { Provider } from '../providers/provider';
import type { Caller } from './caller';
import { checkOperationIdFormula } from './check-operation-id-formula';
import { checkProvider } from './check-provider';
import { unreadBy } from './default-intent';
import { inputSchemaOf } from './input-schema';
import { checkScheduling, type ToolScheduling } from './scheduling';
import { checkToolName, type OperationTool } from './tool';

/** What `defineOperation` takes. Its functions belong to you: they read your systems and compute, and change nothing. */
export interface OperationDefinition<Input extends ZodType, Objects extends object, Request> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /**
   * Runs for every call, before anything is told: authorises the caller and reads the business objects. It may run
   * again, so it must change nothing. Throw RefusedError to refuse, with the same words for what is absent and for
   * what is somebody else's; any other error is retried.
   */
  readonly resolve: (input: z.output<Input>, caller: Caller) => Objects | Promise<Objects>;
  /** From the business objects, never from what the model wrote: "#1043" and "1043" are one operation. */
  readonly operationId: (objects: Objects) => OperationId;
  /**
   * What must not change within a generation; a call that differs is told `conflict` and sends nothing. Without it:
   * all that `resolve` returned and `operationId` did not read, less volatile fields.
   */
  readonly intent?: (objects: Objects) => unknown;
  /** The request, from the business objects; computed once a generation, never from the model's numbers. */
  readonly request: (objects: Objects) => Request | Promise<Request>;
  readonly provider: Provider<Request>;
  /** A task queue of its own, with limits; without it the calls run on the worker's queue. */
  readonly scheduling?: ToolScheduling;
}

/**
 * A tool whose calls are operations: recorded before they are sent, sent under one key, their outcome found out. Throws
 * where the definition cannot work: TypeError, RangeError, ProviderMissingError, OperationIdVolatileError.
 */
export function defineOperation<Input extends ZodType, Objects extends object, Request>(
  definition: OperationDefinition<Input, Objects, Request>,
): OperationTool {
  const { name, description, input, provider, resolve, operationId, intent, request, scheduling } = definition;
  checkToolName(name);
  inputSchemaOf(name, input);
  checkProvider(name, provider);
  checkOperationIdFormula(name, operationId);
  if (scheduling) checkScheduling(name, scheduling);
  return {
    kind: 'operation',
    name,
    description,
    input,
    provider: provider as Provider<unknown>,
    ...(scheduling ? { scheduling } : {}),
    plan: async (parsed, caller) => {
      // The worker passes what `input` gave; the type is lost only between the two.
      const objects = await resolve(parsed as z.output<Input>, caller);
      const id = operationId(objects);
      checkOperationId(id, keyPrefix(caller.tenant, provider.sharedAccount), keyMaxLength(provider.contract));
      return {
        operationId: id,
        intent: intent ? canonicalIntent(intent(objects)) : canonicalDefaultIntent(unreadBy(operationId, objects)),
        request: async () => request(objects),
      };
    },
  };
}
