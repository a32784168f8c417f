import { keyPrefix } from '../operations/key';
import type { PerformSetup } from '../operations/perform';
import type { OperationTool } from '../tools/tool';

/** What of an execution's setup is the tool's and its provider's, whoever asks and for which operation. */
export type ToolSetup = Pick<PerformSetup, 'tool' | 'provider' | 'contract' | 'hasQuery' | 'keyPrefix'>;

export function toolSetup({ name, provider }: OperationTool, tenant: string): ToolSetup {
  return {
    tool: name,
    provider: provider.name,
    contract: provider.contract,
    hasQuery: provider.find !== undefined,
    keyPrefix: keyPrefix(tenant, provider.sharedAccount),
  };
}
