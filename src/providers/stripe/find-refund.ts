import type { Evidence } from '../../operations/evidence';
import type { FindQuery } from '../provider';
import { type ExpectedRefund, expectedRefund } from './expected-refund';
import { findRefundEvents } from './find-refund-events';
import { type Effect, foundEffect } from './found-effect';
import { readList } from './read-list';
import { type RefundObject, readRefund, refundShape } from './refund-object';
import type { StripeConnection } from './stripe-client';
import { type StripeReader, stripeReader } from './stripe-reader';

/** More refunds of one payment than anybody makes; a list that is longer is not read to the end, and says so. */
const MAX_REFUND_PAGES = 100;

interface Look {
  readonly read: StripeReader;
  readonly query: FindQuery;
  readonly expected: ExpectedRefund;
  readonly sharedAccount: boolean;
}

/**
 * Looks for the operation's refunds: by its number where it is known; else in the complete list of the payment's
 * refunds by our mark; and where that shows nothing, in the account's events by our keys, which also find a refund whose
 * metadata somebody changed or that was made on another payment.
 *
 * Absence rests on the complete list alone: events go back 30 days only and are read to a bound. What cannot be read
 * makes the look inconclusive, and so does a status that is not listed.
 */
export async function findRefund(
  query: FindQuery,
  connection: StripeConnection,
  { sharedAccount }: { readonly sharedAccount: boolean },
): Promise<Evidence> {
  const expected = expectedRefund(query.request);
  if (expected === null || expected.operationId !== query.operationId) {
    return inconclusive(`Bug: the stored request is not a refund of ${query.operationId}.`);
  }
  const asked = stripeReader(connection, query.request);
  let retryAfterMs: number | null = null;
  const read: StripeReader = async (path) => {
    const answer = await asked(path);
    if (!answer.ok) retryAfterMs = answer.retryAfterMs ?? retryAfterMs;
    return answer;
  };
  const look: Look = { read, query, expected, sharedAccount };
  const evidence = await (query.externalId === null ? findByMark(look) : findById(look, query.externalId));
  return evidence.kind === 'inconclusive' && retryAfterMs !== null ? { ...evidence, retryAfterMs } : evidence;
}

async function findById(look: Look, externalId: string): Promise<Evidence> {
  const refund = await retrieve(look.read, externalId);
  if (typeof refund === 'string') return inconclusive(refund);
  // The other generations were not looked for.
  return found([effectIn(look, refund, null)], false);
}

async function findByMark(look: Look): Promise<Evidence> {
  const { paymentIntent } = look.expected;
  const list = await readList(look.read, {
    path: '/v1/refunds',
    filters: [['payment_intent', paymentIntent]],
    item: refundShape,
    belongs: (refund) => refund.payment_intent === paymentIntent,
    maxPages: MAX_REFUND_PAGES,
  });
  const complete = list.problem === null && list.toTheEnd;
  const effects = list.items
    .filter((refund) => isMarked(look, refund.metadata?.op_id, refund.metadata?.op_key))
    .map((refund) => effectIn(look, refund, null));
  if (effects.length > 0) return found(effects, complete);
  if (!complete) return inconclusive(list.problem ?? `The payment has more than ${MAX_REFUND_PAGES} pages of refunds.`);
  return findByEvents(look);
}

async function findByEvents(look: Look): Promise<Evidence> {
  const { keys, since } = look.query;
  const events = await findRefundEvents(look.read, { keys, since, isMarked: (id, key) => isMarked(look, id, key) });
  const effects: Effect[] = [];
  for (const { refundId, key } of events.sightings) {
    // An event shows the refund as it was then, so it is read as it is now.
    const refund = await retrieve(look.read, refundId);
    effects.push(typeof refund === 'string' ? `An event tells of ${refundId}. ${refund}` : effectIn(look, refund, key));
  }
  // A mark was changed or the list was late, so the list's silence on other generations says nothing either.
  if (effects.length > 0) return found(effects, false);
  return events.problem === null ? { kind: 'absent' } : inconclusive(events.problem);
}

/** The refund as it is now, or why it could not be read. */
async function retrieve(read: StripeReader, id: string): Promise<RefundObject | string> {
  const answer = await read(`/v1/refunds/${encodeURIComponent(id)}`);
  if (!answer.ok) return answer.why;
  const refund = readRefund(answer.json);
  return refund?.id === id ? refund : `GET /v1/refunds/${id}: the answer is not that refund`;
}

function effectIn({ expected, query }: Look, refund: RefundObject, provenKey: string | null): Effect {
  return foundEffect(refund, { expected, keys: query.keys, provenKey });
}

/** Where tenants share the account, another tenant's operation may have our ID; its key begins with another name. */
function isMarked({ query, sharedAccount }: Look, opId: string | undefined, opKey: string | undefined): boolean {
  if (opId !== query.operationId) return false;
  const tenant = tenantOf(query.keys[0]);
  return !sharedAccount || opKey === undefined || tenant === null || tenantOf(opKey) === tenant;
}

function tenantOf(key: string | undefined): string | null {
  const end = key?.indexOf('~') ?? -1;
  return key === undefined || end < 0 ? null : key.slice(0, end);
}

/** What cannot be told as an effect leaves the rest incomplete, and alone it is inconclusive: it is never absence. */
function found(effects: readonly Effect[], complete: boolean): Evidence {
  const told = effects.filter((effect) => typeof effect !== 'string');
  const untold = effects.filter((effect) => typeof effect === 'string');
  if (told.length === 0) return inconclusive(untold.join(' '));
  return { kind: 'found', effects: told, complete: complete && untold.length === 0 };
}

function inconclusive(why: string): Evidence {
  return { kind: 'inconclusive', why };
}
