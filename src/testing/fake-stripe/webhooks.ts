import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { eventObject, type StripeEvent } from './stripe-event';
import { webhookSignature } from './webhook-signature';

/** A receiver that does not answer must not hold up the deliveries after it for long. */
const ANSWER_WITHIN_MS = 10_000;

export interface WebhookTarget {
  readonly url: string;
  /** The signing secret (`whsec_…`). */
  readonly secret: string;
  /**
   * Dates the signatures, in milliseconds since the Unix epoch: the fake's clock by default. Another where that one is
   * moved and the receiver's is not: it takes no signature from the future.
   */
  readonly now?: () => number;
}

export interface WebhookSendOptions {
  /** Signs with another secret than the target's. */
  readonly secret?: string;
  /** Signs for another moment than now. Seconds since the Unix epoch. */
  readonly timestamp?: number;
}

export interface WebhookDelivery {
  readonly eventId: string;
  readonly type: string;
  /** The receiver's answer, null where none came. */
  readonly status: number | null;
  /** Why none came. */
  readonly error: string | null;
}

/** Something was to be sent, and the fake was started without a target, or does not know the event. */
export class WebhookCommandError extends Error {
  readonly code = 'FAKE_STRIPE_WEBHOOK_COMMAND';
  override readonly name = 'WebhookCommandError';
}

/**
 * Posts every new event to the target, signed, one after the other in the order they were made. It tries once: what
 * fails or was not sent before a restart is sent by command, where Stripe itself would try for up to three days.
 */
export class Webhooks {
  readonly #target: WebhookTarget | null;
  readonly #events: () => readonly StripeEvent[];
  readonly #now: () => number;
  readonly #told: (delivery: WebhookDelivery) => void;
  readonly #closing: AbortSignal;
  readonly #held: StripeEvent[] = [];
  #holding = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: {
    target: WebhookTarget | null;
    events: () => readonly StripeEvent[];
    now: () => number;
    told: (delivery: WebhookDelivery) => void;
    closing: AbortSignal;
  }) {
    this.#target = deps.target;
    this.#events = deps.events;
    this.#now = deps.now;
    this.#told = deps.told;
    this.#closing = deps.closing;
  }

  /** Keeps new events back, until `sendHeld` or `resume`. */
  hold(): void {
    this.#holding = true;
  }

  /** How many events are kept back. */
  get held(): number {
    return this.#held.length;
  }

  /** Sends what is kept back and goes on keeping back. */
  sendHeld(options: WebhookSendOptions & { readonly reverse?: boolean } = {}): Promise<WebhookDelivery[]> {
    const events = this.#held.splice(0);
    if (options.reverse === true) events.reverse();
    return this.#enqueue(events, options);
  }

  /** Sends what is kept back, and from now on every new event at once. */
  resume(): Promise<WebhookDelivery[]> {
    this.#holding = false;
    return this.sendHeld();
  }

  /** Sends one event, whether or not it was sent before. */
  async send(eventId: string, options: WebhookSendOptions = {}): Promise<WebhookDelivery> {
    const event = this.#events().find((candidate) => candidate.id === eventId);
    if (event === undefined) throw new WebhookCommandError(`There is no event ${eventId}.`);
    const [delivery] = await this.#enqueue([event], options);
    if (delivery === undefined) throw new WebhookCommandError('The fake Stripe was started without a webhook target.');
    return delivery;
  }

  /** Resolves once everything that was to be sent so far has been sent or has failed. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /** Called with every new event. */
  take(event: StripeEvent): void {
    if (this.#target === null) return;
    if (this.#holding) this.#held.push(event);
    else void this.#enqueue([event], {});
  }

  #enqueue(events: readonly StripeEvent[], options: WebhookSendOptions): Promise<WebhookDelivery[]> {
    const target = this.#target;
    if (target === null) return Promise.resolve([]);
    const sent = this.#last.then(async () => {
      const deliveries: WebhookDelivery[] = [];
      for (const event of events) deliveries.push(await this.#deliver(event, target, options));
      return deliveries;
    });
    this.#last = sent;
    return sent;
  }

  async #deliver(event: StripeEvent, target: WebhookTarget, options: WebhookSendOptions): Promise<WebhookDelivery> {
    const body = JSON.stringify(eventObject(event), null, 2);
    // Signed anew for every delivery, as at Stripe: a late one is not an old signature.
    const timestamp = options.timestamp ?? Math.floor((target.now ?? this.#now)() / 1_000);
    const signature = webhookSignature(body, options.secret ?? target.secret, timestamp);
    const about = { eventId: event.id, type: event.type };
    let delivery: WebhookDelivery;
    try {
      delivery = { ...about, status: await post(target.url, body, signature, this.#closing), error: null };
    } catch (error) {
      delivery = { ...about, status: null, error: error instanceof Error ? error.message : String(error) };
    }
    this.#told(delivery);
    return delivery;
  }
}

function post(url: string, body: string, signature: string, closing: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'Stripe-Signature': signature,
      },
      signal: AbortSignal.any([closing, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    request.end(body);
  });
}
