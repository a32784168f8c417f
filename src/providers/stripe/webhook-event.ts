import { z } from 'zod';

/**
 * The events that carry a refund. `charge.refund.updated` is the older name of `refund.updated`, and accounts may still
 * be set to it. `charge.refunded` is none of them: it carries the charge, whose sum of refunds names no refund.
 */
const TYPES: readonly string[] = ['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'];

const eventShape = z.object({
  id: z.string().min(1),
  object: z.literal('event'),
  type: z.string(),
  livemode: z.boolean(),
  /** The connected account it happened in; absent for the endpoint's own. */
  account: z.string().nullish(),
  // Events of very old API versions have the request's ID here.
  request: z.union([z.object({ idempotency_key: z.string().nullish() }), z.string()]).nullish(),
  data: z.object({ object: z.unknown() }),
});

export interface RefundEvent {
  readonly id: string;
  /** As in a stored request: `''` for the endpoint's own account. */
  readonly account: string;
  /** The key the refund was created under, where the event says so: the key of a change is another one. */
  readonly createdUnder: string | null;
  /** The object as it was when the event was made. */
  readonly object: unknown;
}

/** The event, or why it is none that says anything of a refund. `livemode`: of the events that count; null for both. */
export function readRefundEvent(json: unknown, livemode: boolean | null): RefundEvent | string {
  const event = eventShape.safeParse(json).data;
  if (event === undefined) return 'It is no event as this release knows them.';
  if (!TYPES.includes(event.type)) return `Events ${event.type} say nothing of a refund.`;
  if (livemode !== null && event.livemode !== livemode) return `It is of ${event.livemode ? 'live' : 'test'} mode.`;
  const { id, account, request, data, type } = event;
  const used = typeof request === 'object' ? (request?.idempotency_key ?? null) : null;
  return {
    id,
    account: account ?? '',
    createdUnder: type === 'refund.created' ? used : null,
    object: data.object,
  };
}
