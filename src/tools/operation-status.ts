import { z } from 'zod';
import { RefusedError } from '../operations/refused-error';
import type { Reply } from '../operations/reply';
import type { Caller } from './caller';
import { defineTool } from './define-tool';
import type { ReadTool, Standing } from './tool';

/** What is true of the caller's own operation now; null where it is not theirs or is not there. */
export type LookUp = (operationId: string, caller: Caller) => Promise<Reply | null>;

/**
 * The built-in read-only tool that a model asks instead of calling again. It finds out and never sends; other
 * customers' operations are as absent as unknown ones.
 */
export function operationStatus(lookUp: LookUp): ReadTool {
  const tool = defineTool({
    name: 'operation_status',
    description: 'What became of an operation of this customer: asks the provider and sends nothing.',
    input: z.object({
      operationId: z
        .string()
        .regex(/^[\x21-\x7D]{1,255}$/, 'not an operation ID')
        .describe('The operation ID that a tool call told.'),
    }),
    run: async ({ operationId }, caller) => {
      const reply = await lookUp(operationId, caller);
      if (reply === null) throw new RefusedError(`There is no operation ${JSON.stringify(operationId)}.`);
      const { code, externalId, attempts, text } = reply;
      return { operationId, code, externalId, attempts, text };
    },
  });
  // An output is what `run` gave, and nothing else.
  return { ...tool, standingIn: (output) => output as Standing };
}
