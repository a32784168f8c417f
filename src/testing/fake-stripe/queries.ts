import { type Answer, jsonAnswer } from './answer';
import type { ApiRequest } from './api-request';
import { Fields } from './fields';
import { decodeForm } from './form';
import { listPage, readCreatedFilter, readPageParams } from './list-page';
import { paymentIntentObject } from './payment';
import { refundObject, versionAt } from './refund';
import { findTarget } from './refund-params';
import { invalidRequest, RefusalError, resourceMissing } from './refusal-error';
import type { Route } from './route';
import type { Store } from './store';
import { eventObject } from './stripe-event';

/** Stripe keeps events for 30 days; refunds are never forgotten. */
const EVENT_RETENTION_MS = 30 * 86_400_000;
const MAX_TYPES = 20;

/** `found`: how many objects the answer holds. */
export interface QueryResult {
  readonly answer: Answer;
  readonly found: number;
}

export interface QueryOptions {
  /** What a list answers for a payment this account does not have. */
  readonly unknownTargetLists: 'missing' | 'empty';
}

/** Answers what only reads. Each query sees the data as they were `lag` ago. Throws `RefusalError`. */
export function query(route: Route, request: ApiRequest, store: Store, options: QueryOptions): QueryResult {
  const fields = new Fields(decodeForm(request.query));
  switch (route.name) {
    case 'list':
      return listRefunds(fields, request, store, options);
    case 'events':
      return route.id === null ? listEvents(fields, request, store) : retrieveEvent(route.id, fields, request, store);
    case 'retrieve': {
      fields.refuseOthers();
      const refund = store.refund(route.id);
      const version = refund === null ? null : versionAt(refund, store.now() - store.lag.retrieve);
      if (refund === null || version === null || refund.account !== request.account) {
        throw resourceMissing('refund', route.id, 'id');
      }
      return { answer: jsonAnswer(200, refundObject(refund, version)), found: 1 };
    }
    case 'payment': {
      fields.refuseOthers();
      const payment = store.payment(route.id);
      if (payment?.id !== route.id || payment.account !== request.account) {
        throw resourceMissing('payment_intent', route.id, 'intent');
      }
      return { answer: jsonAnswer(200, paymentIntentObject(payment)), found: 1 };
    }
    default:
      throw new RefusalError(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${request.method}: ${request.path}).`,
      });
  }
}

function listRefunds(fields: Fields, request: ApiRequest, store: Store, options: QueryOptions): QueryResult {
  const page = readPageParams(fields);
  const created = readCreatedFilter(fields);
  const paymentIntent = fields.text('payment_intent');
  const charge = fields.text('charge');
  fields.refuseOthers();
  if (options.unknownTargetLists === 'missing') {
    if (paymentIntent !== null) findTarget(paymentIntent, null, request.account, store);
    if (charge !== null) findTarget(null, charge, request.account, store);
  }
  const asOf = store.now() - store.lag.list;
  const visible = store
    .refunds()
    .reverse()
    .filter((refund) => refund.account === request.account)
    .flatMap((refund) => {
      const version = versionAt(refund, asOf);
      return version === null ? [] : [{ id: refund.id, refund, version }];
    });
  const list = listPage(
    request.path,
    visible,
    ({ refund }) =>
      created(refund.createdAt) &&
      (paymentIntent === null || refund.paymentIntent === paymentIntent) &&
      (charge === null || refund.charge === charge),
    page,
  );
  const object = list.toObject(({ refund, version }) => refundObject(refund, version));
  return { answer: jsonAnswer(200, object), found: list.page.length };
}

function listEvents(fields: Fields, request: ApiRequest, store: Store): QueryResult {
  const page = readPageParams(fields);
  const created = readCreatedFilter(fields);
  const pattern = fields.text('type');
  const types = fields.list('types');
  fields.refuseOthers();
  if (pattern !== null && types.length > 0) throw invalidRequest('Give either type or types, not both.');
  if (types.length > MAX_TYPES) throw invalidRequest(`types takes up to ${MAX_TYPES} names.`, { param: 'types' });
  const list = listPage(
    request.path,
    visibleEvents(request, store),
    (event) =>
      created(event.at) &&
      (pattern === null || matchesPattern(event.type, pattern)) &&
      (types.length === 0 || types.includes(event.type)),
    page,
  );
  return { answer: jsonAnswer(200, list.toObject(eventObject)), found: list.page.length };
}

function retrieveEvent(id: string, fields: Fields, request: ApiRequest, store: Store): QueryResult {
  fields.refuseOthers();
  const event = visibleEvents(request, store).find((candidate) => candidate.id === id);
  if (event === undefined) throw resourceMissing('event', id, 'id');
  return { answer: jsonAnswer(200, eventObject(event)), found: 1 };
}

function visibleEvents(request: ApiRequest, store: Store) {
  const now = store.now();
  return store
    .events()
    .toReversed()
    .filter(
      (event) =>
        event.account === request.account && event.at <= now - store.lag.events && event.at >= now - EVENT_RETENTION_MS,
    );
}

/** `refund.*`: the asterisk stands for anything. */
function matchesPattern(type: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(type);
}
