import { z } from 'zod';
import type { Instant } from '../../operations/time';
import { readList } from './read-list';
import { REFUND_ID } from './refund-object';
import type { StripeReader } from './stripe-reader';

const TYPES = ['refund.created', 'refund.updated', 'refund.failed'];

/** Stripe's clock and the ledger's differ by seconds; ten minutes more of events cost nothing. */
const CLOCK_ALLOWANCE_S = 600;

/**
 * Events are a second look, beside a list that was complete and empty: 500 of them are enough for that, and a busy
 * account must not keep a look from ever ending.
 */
const MAX_EVENT_PAGES = 5;

/** Each refund that an event names is read again, which takes a question of its own. */
const MAX_SIGHTINGS = 5;

const eventShape = z.object({
  id: z.string().min(1),
  object: z.literal('event'),
  type: z.string(),
  // Events of before May 2017 and of very old API versions have the request's ID here.
  request: z.union([z.object({ idempotency_key: z.string().nullish() }), z.string()]).nullish(),
  data: z.object({
    object: z.object({
      id: z.string().regex(REFUND_ID),
      object: z.literal('refund'),
      metadata: z.looseObject({ op_id: z.string().optional(), op_key: z.string().optional() }).nullish(),
    }),
  }),
});

export interface RefundSighting {
  readonly refundId: string;
  /** Our key, where the event says that the refund was created under it. */
  readonly key: string | null;
}

/** Refunds that the events since the first attempt show as ours, by the key of the request or by our mark. */
export async function findRefundEvents(
  read: StripeReader,
  ours: {
    readonly keys: readonly string[];
    readonly since: Instant;
    readonly isMarked: (opId: string | undefined, opKey: string | undefined) => boolean;
  },
): Promise<{ sightings: readonly RefundSighting[]; problem: string | null }> {
  const list = await readList(read, {
    path: '/v1/events',
    filters: [
      ...TYPES.map((type, index) => [`types[${index}]`, type] as const),
      ['created[gte]', String(Math.max(0, Math.floor(ours.since / 1_000) - CLOCK_ALLOWANCE_S))],
    ],
    item: eventShape,
    belongs: ({ type }) => TYPES.includes(type),
    maxPages: MAX_EVENT_PAGES,
  });
  const sightings = new Map<string, RefundSighting>();
  for (const { type, request, data } of list.items) {
    const { id: refundId, metadata } = data.object;
    const used = typeof request === 'object' ? (request?.idempotency_key ?? null) : null;
    const key = used !== null && ours.keys.includes(used) ? used : null;
    if (key === null && !ours.isMarked(metadata?.op_id, metadata?.op_key)) continue;
    // The key of a change is not the key of the creation.
    const createdUnder = type === 'refund.created' ? key : null;
    sightings.set(refundId, { refundId, key: createdUnder ?? sightings.get(refundId)?.key ?? null });
  }
  const some = [...sightings.values()].slice(0, MAX_SIGHTINGS);
  return { sightings: some, problem: list.problem };
}
