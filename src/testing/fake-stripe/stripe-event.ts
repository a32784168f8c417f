import type { JsonObject } from './answer';
import { newId } from './new-id';
import { chargeObject, type Payment } from './payment';
import { currentVersion, keepsAmount, type Refund, refundObject } from './refund';

/** The version the account's events are rendered in: the newest the SDK in use knows (2026-10-28.endive). */
const EVENT_API_VERSION = '2026-10-28.endive';

export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  readonly at: number;
  /** The object as it was then. It never changes afterwards, as at Stripe. */
  readonly object: JsonObject;
  readonly previous: JsonObject | null;
  readonly requestId: string | null;
  readonly key: string | null;
}

/** The request that caused an event; both null where Stripe itself, a bank, or a person did. */
interface EventCause {
  readonly requestId: string | null;
  readonly key: string | null;
}

/** `amountRefunded`: of the whole payment, this refund included. */
export function eventsOfNewRefund(refund: Refund, payment: Payment, amountRefunded: number): StripeEvent[] {
  const version = currentVersion(refund);
  const cause = { requestId: refund.requestId, key: refund.key };
  const make = (type: string, object: JsonObject) => stripeEvent(type, refund, version.at, object, null, cause);
  const object = refundObject(refund, version);
  const events = [make('refund.created', object)];
  if (keepsAmount(version.status)) events.push(make('charge.refunded', chargeObject(payment, amountRefunded)));
  if (version.status === 'failed') events.push(make('refund.failed', object));
  return events;
}

/** `refund` already has its new version. The charge's own, older event is sent beside the refund's, as Stripe does. */
export function eventsOfChangedRefund(refund: Refund, previousStatus: string): StripeEvent[] {
  const version = currentVersion(refund);
  const object = refundObject(refund, version);
  const types = ['refund.updated', 'charge.refund.updated'];
  if (version.status === 'failed') types.push('refund.failed');
  return types.map((type) =>
    stripeEvent(type, refund, version.at, object, type.endsWith('.updated') ? { status: previousStatus } : null, {
      requestId: null,
      key: null,
    }),
  );
}

export function eventObject(event: StripeEvent): JsonObject {
  return {
    id: event.id,
    object: 'event',
    ...(event.account !== '' && { account: event.account }),
    api_version: EVENT_API_VERSION,
    created: Math.floor(event.at / 1_000),
    data: {
      object: event.object,
      ...(event.previous !== null && { previous_attributes: event.previous }),
    },
    livemode: false,
    pending_webhooks: 0,
    request: { id: event.requestId, idempotency_key: event.key },
    type: event.type,
  };
}

function stripeEvent(
  type: string,
  refund: Refund,
  at: number,
  object: JsonObject,
  previous: JsonObject | null,
  cause: EventCause,
): StripeEvent {
  return { id: newId('evt'), type, account: refund.account, at, object, previous, ...cause };
}
