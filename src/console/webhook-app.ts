import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isUnreachable } from '../ledger/database-errors';
import type { IncomingWebhook } from '../providers/provider';
import { recordWebhook, type WebhookStores } from './record-webhook';
import type { WebhookResult } from './webhook-counts';
import type { WebhookProvider } from './webhook-providers';

/** Stripe's events have some kilobytes. */
const MAX_BODY_BYTES = 1_048_576;

export interface WebhookAppParts extends WebhookStores {
  readonly providers: ReadonlyMap<string, readonly WebhookProvider[]>;
  /** Milliseconds since the Unix epoch, by this server's clock. */
  readonly now: () => number;
  /** Called once a delivery, before it is answered. */
  readonly count: (result: WebhookResult) => void;
  /** One line on what somebody has to look at. */
  readonly log: (line: string) => void;
}

interface Handled {
  readonly result: WebhookResult;
  readonly why?: string;
}

/**
 * The webhook door. A delivery is answered with 2xx only once what it tells is stored, or nothing of it is ours; what
 * could not be stored is answered with 5xx, so that the provider sends it again.
 */
export function webhookApp(parts: WebhookAppParts): Hono {
  const app = new Hono();
  const answer = (context: Context, status: ContentfulStatusCode, { result, why }: Handled) => {
    parts.count(result);
    return context.json({ result, ...(why !== undefined && { why }) }, status);
  };
  const tooLarge = (context: Context) =>
    answer(context, 413, { result: 'refused', why: `The body is longer than ${MAX_BODY_BYTES} bytes.` });

  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.all('/healthz', (context) => context.json({ why: 'GET only.' }, 405, { Allow: 'GET, HEAD' }));
  for (const [path, providers] of parts.providers) {
    app.post(`/webhooks/${path}`, bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }), async (context) => {
      try {
        const body = textOf(await context.req.arrayBuffer());
        if (body === null) return answer(context, 400, { result: 'refused', why: 'The body is not UTF-8.' });
        const handled = await handle(parts, providers, { body, headers: context.req.header(), nowMs: parts.now() });
        return answer(context, handled.result === 'refused' ? 400 : 200, handled);
      } catch (error) {
        parts.log(`a webhook at ${path} could not be recorded, and will be sent again: ${String(error)}`);
        // What went wrong is told to us alone: whoever posts may be anybody.
        return answer(context, isUnreachable(error) ? 503 : 500, { result: 'failed' });
      }
    });
    app.all(`/webhooks/${path}`, (context) => context.json({ why: 'POST only.' }, 405, { Allow: 'POST' }));
  }
  app.notFound((context) => context.json({ why: 'There is nothing here.' }, 404));
  return app;
}

/** The first provider whose operation it is; several may share a path, and also a secret. */
async function handle(
  parts: WebhookAppParts,
  providers: readonly WebhookProvider[],
  delivery: IncomingWebhook,
): Promise<Handled> {
  let handled: Handled = { result: 'refused' };
  for (const provider of providers) {
    const news = provider.webhook.read(delivery);
    const one: Handled =
      news.kind === 'effect' ? await recorded(parts, provider, news) : { result: news.kind, why: news.why };
    if (one.result !== 'refused' && one.result !== 'ignored' && one.result !== 'foreign') {
      if (one.why !== undefined) parts.log(`a webhook at ${provider.webhook.path} was not recorded. ${one.why}`);
      return one;
    }
    // What one of them can tell more of counts: a secret that does not fit says least.
    if (handled.result === 'refused' || one.result === 'foreign') handled = one;
  }
  return handled;
}

async function recorded(
  { database, ledger }: WebhookStores,
  provider: WebhookProvider,
  news: Parameters<typeof recordWebhook>[0]['news'],
): Promise<Handled> {
  const end = await recordWebhook({ database, ledger, provider, news });
  return 'why' in end ? { result: end.kind, why: `${news.about}: ${end.why}` } : { result: end.kind };
}

function textOf(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
