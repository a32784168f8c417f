import type { Evidence } from '../../operations/evidence';
import type { EffectQuery, IncomingWebhook, WebhookNews, WebhookReader } from '../provider';
import { expectedRefund } from './expected-refund';
import { foundEffect } from './found-effect';
import { type RefundObject, readRefund } from './refund-object';
import type { StripeConnection } from './stripe-client';
import { readRefundEvent } from './webhook-event';
import { signatureProblem } from './webhook-signature';

const PATH = 'stripe';

/** What of a provider's options concerns its webhooks. */
export interface RefundWebhookOptions {
  readonly secrets: readonly string[];
  readonly livemode: boolean | null;
}

/** Reads the events that Stripe posts. Asks nobody: an event says of its refund what it was when the event was made. */
export function refundWebhook(
  connection: StripeConnection,
  { secrets, livemode }: RefundWebhookOptions,
): WebhookReader {
  return {
    path: PATH,
    read({ body, headers, nowMs }: IncomingWebhook): WebhookNews {
      const problem = signatureProblem(connection, secrets, { body, header: headers['stripe-signature'], nowMs });
      if (problem !== null) return { kind: 'refused', why: problem };
      const event = readRefundEvent(parse(body), livemode);
      if (typeof event === 'string') return { kind: 'ignored', why: event };
      const refund = readRefund(event.object);
      if (refund === null) return { kind: 'unreadable', why: `The event ${event.id} has no refund that can be read.` };
      const operationId = refund.metadata?.op_id;
      // Refunds by hand and of other systems. Without our mark nothing tells the operation; a query finds it by its number.
      if (operationId === undefined) return { kind: 'ignored', why: `The refund ${refund.id} bears no operation ID.` };
      const { createdUnder, account } = event;
      return {
        kind: 'effect',
        about: `event ${event.id}, refund ${refund.id}`,
        operationId,
        key: refund.metadata?.op_key ?? createdUnder,
        evidence: (query) => (query.request.account === account ? evidenceOf(refund, createdUnder, query) : null),
      };
    },
  };
}

/** Compared with the stored request exactly as a query's findings are. */
function evidenceOf(
  refund: RefundObject,
  createdUnder: string | null,
  { request, operationId, keys }: EffectQuery,
): Evidence {
  const expected = expectedRefund(request);
  if (expected === null || expected.operationId !== operationId) {
    return { kind: 'inconclusive', why: `Bug: the stored request is not a refund of ${operationId}.` };
  }
  const provenKey = createdUnder !== null && keys.includes(createdUnder) ? createdUnder : null;
  const effect = foundEffect(refund, { expected, keys, provenKey });
  if (typeof effect === 'string') return { kind: 'inconclusive', why: effect };
  return { kind: 'found', effects: [effect], complete: false };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
