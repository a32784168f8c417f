import { checkContract } from '../operations/contract';
import type { Provider } from '../providers/provider';

/** An operation's tool has no provider, or one that lacks a part. The tool is not made. */
export class ProviderMissingError extends Error {
  readonly code = 'SENDONCE_PROVIDER_MISSING';
  override readonly name = 'ProviderMissingError';
  constructor(
    readonly tool: string,
    missing: string,
  ) {
    super(
      `The tool ${tool} has no ${missing}. Give defineOperation a provider, for example stripeRefunds({ connect }).`,
    );
  }
}

/** What every provider must bring; JavaScript and casts let through what the type would not. */
const PARTS = { name: 'string', contract: 'object', encode: 'function', send: 'function' } as const;

/** Throws ProviderMissingError, or what `checkContract` throws. */
export function checkProvider<Request>(tool: string, provider: Provider<Request> | undefined): void {
  if (!provider) throw new ProviderMissingError(tool, 'provider');
  for (const [part, type] of Object.entries(PARTS)) {
    if (typeof Reflect.get(provider, part) !== type) throw new ProviderMissingError(tool, `provider.${part}`);
  }
  checkContract(provider.name, provider.contract);
}
