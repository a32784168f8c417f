import type { IncomingWebhook, WebhookNews } from '../../../providers/provider';
import { broken, type CheckedPromise } from '../promise';
import type { ProviderWorld } from '../provider-world';

const DAY_MS = 86_400_000;

function withoutWebhook({ parts, check }: ProviderWorld): string | null {
  if (parts.webhook === undefined) return 'the provider reads no webhooks';
  return check.webhook ? null : 'no webhook is given';
}

export const WEBHOOKS: readonly CheckedPromise<ProviderWorld>[] = [
  {
    promise: 'a signed webhook is news of the effect: our ID, its external ID, and whether it matches',
    notChecked: withoutWebhook,
    check: async (world) => {
      const request = await world.check.request();
      const subject = world.subjectOf(request, world.newMark());
      const made = await world.make(subject);
      const news = read(world, await posted(world, subject.operationId, made));
      if (news.kind !== 'effect') throw broken(`What the provider posted of ${made.externalId} was ${words(news)}.`);
      if (news.operationId !== subject.operationId) {
        throw broken(`It was posted of ${subject.operationId}, and was read as of ${news.operationId}.`);
      }
      const keys = [subject.key];
      const evidence = news.evidence({ request: subject.request, operationId: subject.operationId, keys });
      const ours =
        evidence?.kind === 'found' ? evidence.effects.find((one) => one.externalId === made.externalId) : null;
      if (!ours || ours.mismatch !== null) {
        throw broken(`${made.externalId} is what was asked for, and the webhook's evidence does not say so.`);
      }
      if (!world.check.alter) return;
      const other = world.subjectOf(world.check.alter(request), subject);
      const against = news.evidence({ request: other.request, operationId: subject.operationId, keys });
      if (against?.kind === 'found' && against.effects.some(({ mismatch }) => mismatch === null)) {
        throw broken(`${made.externalId} is of another request, and the webhook's evidence takes it for this one's.`);
      }
    },
  },
  {
    promise: 'a webhook that is forged, changed or old is refused',
    notChecked: withoutWebhook,
    check: async (world) => {
      const subject = await world.newSubject();
      const made = await world.make(subject);
      const signed = await posted(world, subject.operationId, made);
      const forgeries: readonly (readonly [what: string, webhook: IncomingWebhook])[] = [
        ['without its headers', { ...signed, headers: {} }],
        [
          'with another external ID in its body',
          { ...signed, body: signed.body.replaceAll(made.externalId, 'forged_1') },
        ],
        ['with a blank more in its body', { ...signed, body: `${signed.body} ` }],
        ['a day after it was signed', { ...signed, nowMs: signed.nowMs + DAY_MS }],
      ];
      for (const [what, webhook] of forgeries) {
        const news = read(world, webhook);
        if (news.kind !== 'refused') throw broken(`A webhook ${what} was ${words(news)}: it must be refused.`);
      }
    },
  },
];

async function posted(world: ProviderWorld, operationId: string, made: Awaited<ReturnType<ProviderWorld['make']>>) {
  const webhook = await world.check.webhook?.({ ...made, operationId });
  if (webhook === undefined) throw new Error('Bug: there is no webhook to read.');
  return webhook;
}

function read({ provider }: ProviderWorld, webhook: IncomingWebhook): WebhookNews {
  if (provider.webhook === undefined) throw new Error('Bug: the provider reads no webhooks.');
  return provider.webhook.read(webhook);
}

function words(news: WebhookNews): string {
  return news.kind === 'effect' ? `taken as news of ${news.about}` : `${news.kind} (${news.why})`;
}
