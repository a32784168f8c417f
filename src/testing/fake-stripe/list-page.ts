import type { JsonObject } from './answer';
import type { Fields } from './fields';
import { invalidRequest } from './refusal-error';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

interface PageParams {
  readonly limit: number;
  readonly startingAfter: string | null;
  readonly endingBefore: string | null;
}

export function readPageParams(fields: Fields): PageParams {
  const limit = fields.integer('limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT;
  const startingAfter = fields.text('starting_after');
  const endingBefore = fields.text('ending_before');
  if (startingAfter !== null && endingBefore !== null) {
    throw invalidRequest('Received both starting_after and ending_before; give only one of them.');
  }
  return { limit, startingAfter, endingBefore };
}

/** Seconds, as `created=1` or `created[gte]=1&created[lt]=2`. */
export function readCreatedFilter(fields: Fields): (createdMs: number) => boolean {
  const read = (name: string) => fields.integer(name, 0, Number.MAX_SAFE_INTEGER);
  const exactly = read('created');
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((bound) => read(`created[${bound}]`));
  return (createdMs) => {
    const created = Math.floor(createdMs / 1_000);
    return (
      (exactly === null || created === exactly) &&
      (gt == null || created > gt) &&
      (gte == null || created >= gte) &&
      (lt == null || created < lt) &&
      (lte == null || created <= lte)
    );
  };
}

/**
 * One page of what a query found, newest first. The cursor names any object of the collection (`all`, newest first),
 * also one that the filters leave out: then the page begins where it would stand.
 */
export function listPage<Item extends { readonly id: string }>(
  url: string,
  all: readonly Item[],
  matches: (item: Item) => boolean,
  params: PageParams,
): { readonly page: readonly Item[]; toObject(render: (item: Item) => JsonObject): JsonObject } {
  const { limit, startingAfter, endingBefore } = params;
  let candidates: readonly Item[] = all;
  if (startingAfter !== null) candidates = all.slice(positionOf(all, startingAfter, 'starting_after') + 1);
  if (endingBefore !== null) candidates = all.slice(0, positionOf(all, endingBefore, 'ending_before'));
  const found = candidates.filter(matches);
  // Backwards, the page is the one next to the cursor, and more is what is newer still.
  const page = endingBefore !== null ? found.slice(-limit) : found.slice(0, limit);
  return {
    page,
    toObject: (render) => ({ object: 'list', url, has_more: found.length > page.length, data: page.map(render) }),
  };
}

function positionOf(all: readonly { readonly id: string }[], id: string, param: string): number {
  const position = all.findIndex((item) => item.id === id);
  if (position >= 0) return position;
  throw invalidRequest(`No such object: '${id}'`, { code: 'resource_missing', param });
}
