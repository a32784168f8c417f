import type { Fact } from './fact';
import { decodeForm } from './form';
import { currentVersion, type RefundStatus } from './refund';
import type { Send, SendFate } from './send';
import type { Store } from './store';
import type { WebhookDelivery } from './webhooks';

/** What happens at the fake, told as it happens. For people and for tests that wait; the report counts without it. */
export type Happening = { readonly at: number } & HappeningDetail;

export type HappeningDetail =
  | {
      readonly kind: 'send-arrived';
      readonly requestId: string;
      readonly key: string | null;
      readonly account: string;
      /** As the body tells them; null where it does not. */
      readonly amount: string | null;
      readonly payment: string | null;
    }
  | {
      readonly kind: 'send-decided';
      readonly requestId: string;
      readonly key: string | null;
      readonly fate: SendFate;
      readonly status: number | null;
      readonly refund: string | null;
    }
  | {
      readonly kind: 'refund-made';
      readonly id: string;
      readonly amount: number;
      readonly currency: string;
      readonly paymentIntent: string;
      readonly status: RefundStatus;
      readonly key: string | null;
      readonly byHand: boolean;
    }
  | { readonly kind: 'refund-changed'; readonly id: string; readonly status: RefundStatus }
  | ({ readonly kind: 'held'; readonly stage: 'request' | 'execution' | 'answer' } & About)
  | ({ readonly kind: 'request-dropped' } & About)
  | ({ readonly kind: 'answer-dropped' } & About)
  | ({ readonly kind: 'answer-cut' } & About)
  /** The client was gone before its answer. */
  | ({ readonly kind: 'answer-lost' } & About)
  | ({ readonly kind: 'answered'; readonly status: number; readonly replayed: boolean } & About)
  | ({ readonly kind: 'queried'; readonly account: string; readonly found: number } & About)
  | { readonly kind: 'webhook-sent'; readonly delivery: WebhookDelivery }
  | { readonly kind: 'run-started' }
  | { readonly kind: 'clock-advanced'; readonly ms: number }
  | { readonly kind: 'connections-refused' }
  | { readonly kind: 'connections-accepted' };

interface About {
  readonly requestId: string;
  readonly route: string;
  readonly key: string | null;
}

export type HappeningListener = (happening: Happening) => void;

export class Narration {
  readonly #store: Store;
  readonly #listeners = new Set<HappeningListener>();

  constructor(store: Store) {
    this.#store = store;
    store.onCommit((facts) => {
      for (const fact of facts) {
        const detail = this.#detailOf(fact);
        if (detail !== null) this.tell(detail);
      }
    });
  }

  /** Returns the function that ends it. */
  listen(listener: HappeningListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(detail: HappeningDetail): void {
    const happening = { at: this.#store.now(), ...detail };
    for (const listener of this.#listeners) {
      try {
        listener(happening);
      } catch (error) {
        // A listener's fault must not become the API's: the refund it hears of is already made.
        process.emitWarning(`A listener of the fake Stripe failed: ${String(error)}`);
      }
    }
  }

  #detailOf(fact: Fact): HappeningDetail | null {
    switch (fact.kind) {
      case 'send-arrived':
        return { kind: 'send-arrived', ...describeSend(fact.send) };
      case 'send-decided':
        return { ...fact, key: this.#store.send(fact.requestId)?.key ?? null };
      case 'refund-made': {
        const { id, amount, currency, paymentIntent, key, byHand } = fact.refund;
        const { status } = currentVersion(fact.refund);
        return { kind: 'refund-made', id, amount, currency, paymentIntent, status, key, byHand };
      }
      case 'refund-changed':
        return { kind: 'refund-changed', id: fact.id, status: fact.version.status };
      case 'run-started':
      case 'clock-advanced':
        return fact;
      default:
        return null;
    }
  }
}

function describeSend(send: Send) {
  const { requestId, key, account } = send;
  let fields = new Map<string, string>();
  try {
    fields = new Map(decodeForm(send.body));
  } catch {
    // Told without them: the API itself refuses such a body.
  }
  const payment = fields.get('payment_intent') ?? fields.get('charge') ?? null;
  return { requestId, key, account, amount: fields.get('amount') ?? null, payment };
}
