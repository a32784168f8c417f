import type { Ledger, OperationRef } from '../ledger/ledger';
import type { CallRef } from '../operations/event';
import type { PerformLimits } from '../operations/perform';
import type { Reply } from '../operations/reply';
import type { OperationTool, Tool } from '../tools/tool';
import type { LateAnswers } from './late-answers';
import { perform } from './perform';
import { toolSetup } from './tool-setup';

export interface LookParts {
  readonly ledger: Ledger;
  readonly lateAnswers: LateAnswers;
  readonly limits: PerformLimits;
}

/** One look at the provider. */
export interface Look extends OperationRef {
  /** `look` asks only where the outcome is open, `check` always. */
  readonly purpose: 'look' | 'check';
  readonly tool: OperationTool;
  readonly generation: number;
  /** Who asks: to a call its own earlier attempts are over. */
  readonly call: CallRef;
}

/** The tool that made the operation; null where it is not among these, or goes to another provider now. */
export function toolOf(
  tools: readonly Tool[],
  { tool, provider }: { readonly tool: string; readonly provider: string },
): OperationTool | null {
  const own = tools.find((one): one is OperationTool => one.kind === 'operation' && one.name === tool);
  return own?.provider.name === provider ? own : null;
}

/**
 * Asks the provider what became of an operation and records what it finds; registers and sends nothing. It knows nothing
 * of Temporal, so that people's commands look as calls do.
 */
export async function look(
  { tenant, operationId, purpose, tool, generation, call }: Look,
  { ledger, lateAnswers, limits }: LookParts,
): Promise<Reply | null> {
  const { provider } = tool;
  const end = await perform(
    {
      ...toolSetup(tool, tenant),
      operationId,
      purpose,
      generation,
      intent: '',
      call,
      limits,
    },
    {
      tenant,
      ledger,
      provider,
      lateAnswers,
      prepare: async () => ({ kind: 'refused', message: 'Looking registers nothing.' }),
      checkCancelled: () => undefined,
    },
  );
  return end.kind === 'finish' ? end.reply : null;
}
