import { z } from 'zod';
import { encodeForm } from './form';
import type { StripeReader } from './stripe-reader';

/** The most that Stripe gives at once; its default is 10 (docs/providers/stripe.md). */
const PAGE_SIZE = 100;

const pageShape = z.object({ object: z.literal('list'), data: z.array(z.unknown()), has_more: z.boolean() });

export interface ListQuestion<Item> {
  readonly path: string;
  readonly filters: readonly (readonly [name: string, value: string])[];
  readonly item: z.ZodType<Item>;
  /** Whether it is what the filters asked for: a list that ignores them proves nothing about what is not in it. */
  readonly belongs: (item: Item) => boolean;
  readonly maxPages: number;
}

export interface ReadList<Item> {
  /** Everything well formed that was seen, also where the list went wrong later. */
  readonly items: readonly Item[];
  /** Why the list is not to be trusted, null where every page was well formed. */
  readonly problem: string | null;
  /** Whether the last page was reached. */
  readonly toTheEnd: boolean;
}

/**
 * Reads a list page by page. The SDK's own paging is not used: it takes a 503 with JSON for an empty page, and stops in
 * the middle by throwing, without what it had (S24, S25).
 */
export async function readList<Item extends { readonly id: string }>(
  read: StripeReader,
  question: ListQuestion<Item>,
): Promise<ReadList<Item>> {
  const items: Item[] = [];
  const cursors = new Set<string>();
  let problem: string | null = null;
  for (let page = 0; page < question.maxPages; page++) {
    const cursor = [...cursors].at(-1);
    const answer = await read(pathOf(question, cursor));
    if (!answer.ok) return { items, problem: problem ?? answer.why, toTheEnd: false };
    const { data: list } = pageShape.safeParse(answer.json);
    if (list === undefined)
      return { items, problem: `GET ${question.path}: page ${page + 1} is no list`, toTheEnd: false };
    const own = list.data.flatMap((entry) => question.item.safeParse(entry).data ?? []);
    items.push(...own);
    if (own.length < list.data.length || !own.every(question.belongs)) {
      problem ??= `GET ${question.path}: page ${page + 1} holds what was not asked for`;
    }
    if (!list.has_more) return { items, problem, toTheEnd: true };
    const next = own.at(-1)?.id;
    if (next === undefined || cursors.has(next)) {
      return { items, problem: problem ?? `GET ${question.path}: page ${page + 1} leads nowhere`, toTheEnd: false };
    }
    cursors.add(next);
  }
  return { items, problem, toTheEnd: false };
}

function pathOf(
  { path, filters }: Pick<ListQuestion<unknown>, 'path' | 'filters'>,
  cursor: string | undefined,
): string {
  const paging: [string, string][] = [['limit', String(PAGE_SIZE)]];
  if (cursor !== undefined) paging.push(['starting_after', cursor]);
  return `${path}?${encodeForm([...filters, ...paging])}`;
}
