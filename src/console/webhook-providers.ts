import type { Provider, WebhookReader } from '../providers/provider';
import type { Tool } from '../tools/tool';

/** No tool has a provider that reads webhooks. The door does not open. */
export class WebhookMissingError extends Error {
  readonly code = 'SENDONCE_WEBHOOK_MISSING';
  override readonly name = 'WebhookMissingError';
  constructor() {
    super(
      'None of the tools has a provider that takes webhooks. Give one its signing secret, for example ' +
        'stripeRefunds({ connect, webhookSecret }).',
    );
  }
}

export type WebhookProvider = Provider<unknown> & { readonly webhook: WebhookReader };

/** The providers of the tools that read webhooks, by path. Throws WebhookMissingError where there are none. */
export function webhookProviders(tools: readonly Tool[]): ReadonlyMap<string, readonly WebhookProvider[]> {
  const providers = new Set(tools.flatMap((tool) => (tool.kind === 'operation' ? [tool.provider] : [])));
  const byPath = new Map<string, readonly WebhookProvider[]>();
  for (const provider of [...providers].filter(hasWebhook)) {
    const { path } = provider.webhook;
    byPath.set(path, [...(byPath.get(path) ?? []), provider]);
  }
  if (byPath.size === 0) throw new WebhookMissingError();
  return byPath;
}

function hasWebhook(provider: Provider<unknown>): provider is WebhookProvider {
  return provider.webhook !== undefined;
}
