import type { Answer, Operation } from './operation.ts';

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  page: number;
  limit: number;
  /** The number of items on all pages. */
  total: number;
  pages: number;
  /** The page after this one; undefined after the last. */
  next(): Promise<Page<Item> | undefined>;
}

/**
 * A list that has not been asked for yet: await it for one page, or iterate over it for all items, which reads page
 * after page.
 */
export interface Pages<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {}

type Place = NonNullable<Answer['pagination']>;
type Query = Record<string, unknown>;

export function pagesOf<Item>(
  ask: (query: Query) => Promise<Answer>,
  query: Query,
  { pages: by = 'page', cursorOf = ['id'] }: Pick<Operation, 'pages' | 'cursorOf'>,
): Pages<Item> {
  /** The query of the page after this one: by cursor where there is one, since pages by number shift. */
  function queryAfter(asked: Query, items: Item[], place: Place): Query | undefined {
    if (by === 'page' || asked.page !== undefined)
      return place.page < place.pages ? { ...asked, page: place.page + 1 } : undefined;
    const last = items.at(-1) as Record<string, unknown> | undefined;
    if (!last || items.length < place.limit) return undefined;
    return { ...asked, [by]: cursorOf.map((name) => last[name]).join('_') };
  }

  async function read(asked: Query): Promise<Page<Item>> {
    const { data, pagination } = await ask(asked);
    const place = pagination as Place;
    const items = data as Item[];
    const query = queryAfter(asked, items, place);
    return { items, ...place, next: async () => query && read(query) };
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: awaiting a list is asking for its first page
    then: (done, failed) => read(query).then(done, failed),
    async *[Symbol.asyncIterator]() {
      for (let page: Page<Item> | undefined = await read(query); page; page = await page.next())
        yield* page.items;
    },
  };
}
