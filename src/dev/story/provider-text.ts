import type { Happening } from '../../testing/fake-stripe/narration';
import type { WebhookDelivery } from '../../testing/fake-stripe/webhooks';
import { formatAmount } from '../shop/order';

/** What happens at the fake provider, in words; null for what the story need not tell. */
export function providerText(happening: Happening): string | null {
  switch (happening.kind) {
    case 'send-arrived':
      return `asked for a refund, key ${happening.key ?? 'none'}`;
    case 'refund-made':
      return `refund ${happening.id} made, ${formatAmount(happening.amount, happening.currency)}`;
    case 'refund-changed':
      return `refund ${happening.id} is ${happening.status} now`;
    case 'webhook-sent':
      return webhookText(happening.delivery);
    case 'request-dropped':
      return 'the request is lost, nothing was done';
    case 'answer-dropped':
      return 'the answer is lost';
    case 'held':
      return `the ${happening.stage} is held back`;
    case 'answered':
      if (!happening.route.startsWith('create')) return null;
      return `answered ${happening.status}${happening.replayed ? ', the stored answer again' : ''}`;
    case 'queried':
      return `asked what is there: ${happening.found === 0 ? 'nothing' : `${happening.found} found`}`;
    default:
      return null;
  }
}

/** Those of the charge tell what those of the refund tell, and nobody reads them. */
function webhookText({ type, status, error }: WebhookDelivery): string | null {
  if (!type.startsWith('refund.')) return null;
  return `sends the signed webhook ${type}: ${status === null ? error : `taken with ${status}`}`;
}
