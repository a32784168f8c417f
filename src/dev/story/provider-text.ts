import type { Happening } from '../../testing/fake-stripe/narration';
import { formatAmount } from '../shop/order';

/** What happens at the fake provider, in words; null for what the story need not tell. */
export function providerText(happening: Happening): string | null {
  switch (happening.kind) {
    case 'send-arrived':
      return `asked for a refund, key ${happening.key ?? 'none'}`;
    case 'refund-made':
      return `refund ${happening.id} made, ${formatAmount(happening.amount, happening.currency)}`;
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
