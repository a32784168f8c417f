import { Context } from '@temporalio/activity';
import type { Ledger } from '../ledger/ledger';
import { fold } from '../operations/fold';
import { keyPrefix } from '../operations/key';
import type { PerformLimits } from '../operations/perform';
import { replyFor } from '../operations/reply';
import type { LookUp } from '../tools/operation-status';
import type { OperationTool, Tool } from '../tools/tool';
import type { LateAnswers } from './late-answers';
import { perform } from './perform';

export interface LookUpParts {
  readonly tools: readonly Tool[];
  readonly ledger: Ledger;
  readonly lateAnswers: LateAnswers;
  readonly limits: PerformLimits;
}

/** Reads the operation for the model, and asks the provider where its outcome is open. Sends nothing. */
export function lookUpWith({ tools, ledger, lateAnswers, limits }: LookUpParts): LookUp {
  return async (operationId, { tenant, customer, sessionId, callId }) => {
    const { now, events } = await ledger.load({ tenant, operationId });
    const operation = fold(events);
    if (operation === null || !operation.customers.includes(customer)) return null;
    const activityAttempt = Context.current().info.attempt;
    const tool = tools.find((one): one is OperationTool => one.kind === 'operation' && one.name === operation.tool);
    if (!tool || tool.provider.name !== operation.provider) {
      return replyFor(operation, { tool: operation.tool, operationId, callId, activityAttempt }, now);
    }
    const { provider } = tool;
    const end = await perform(
      {
        operationId,
        tool: tool.name,
        provider: provider.name,
        purpose: 'look',
        generation: operation.current.number,
        intent: '',
        call: { callId, activityAttempt, sessionId, customer },
        contract: provider.contract,
        hasQuery: provider.find !== undefined,
        keyPrefix: keyPrefix(tenant, provider.sharedAccount),
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
  };
}
