import { z } from 'zod';
import { id } from '../../src/operations/operation-id';
import { defineOperation } from '../../src/tools/define-operation';
import { defineTool } from '../../src/tools/define-tool';
import type { OperationTool, ReadTool } from '../../src/tools/tool';
import type { CountingProvider } from './counting-provider';

export interface PayoutInput {
  readonly to: string;
  readonly amount?: number | undefined;
}

/** The tool that moves money in tests. `onResolve` runs wherever `resolve` does: when planned, and before each mark. */
export function payOut(
  provider: CountingProvider,
  onResolve: (input: PayoutInput) => Promise<void> | void = () => undefined,
): OperationTool {
  return defineOperation({
    name: 'pay_out',
    description: 'Pay out once to somebody.',
    input: z.object({ to: z.string(), amount: z.int().optional(), note: z.string().optional() }),
    resolve: async ({ to, amount }) => {
      await onResolve({ to, amount });
      return { to, amount: amount ?? 100 };
    },
    operationId: ({ to }) => id`payout-${to}`,
    request: ({ to, amount }) => ({ to, amount }),
    provider,
  });
}

/** A read-only tool. */
export function readAccount(read: (of: string) => unknown = (of) => ({ of, balance: 1_000 })): ReadTool {
  return defineTool({
    name: 'read_account',
    description: 'Read an account.',
    input: z.object({ of: z.string() }),
    run: async ({ of }) => read(of),
  });
}
