import type { Answer } from './operation.ts';

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  page: number;
  limit: number;
  /** The number of items on all pages, unless counting stopped before. */
  total: number;
  pages: number;
  /** For lists whose counting may stop: whether it did not. */
  totalIsExact?: boolean;
  /** The page after this one; undefined after the last. */
  next(): Promise<Page<Item> | undefined>;
}

/**
 * A list that is not requested yet: await it for one page, or iterate over it for all items, which reads page after
 * page.
 */
export interface Pages<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {}

type Query = Record<string, unknown>;

/**
 * `cursor` names the operation's cursor parameter and the fields of an item that form it; without it, the list is
 * paged by number.
 */
export function pagesOf<Item>(
  ask: (query: Query) => Promise<Answer>,
  query: Query = {},
  [cursor, ...fields]: readonly string[] = [],
): Pages<Item> {
  async function read(requested: Query): Promise<Page<Item>> {
    const { data: items, pagination: place } = (await ask(requested)) as Listed<Item>;
    // The number of the requested page, not of the returned one: behind a cache that always returns the same page,
    // the iteration would never end.
    const number = (requested.page as number) || 1;
    const id = fields.map((name) => (items.at(-1) as Query | undefined)?.[name]).join('_');
    // Lists with a cursor continue by it, since numbered pages shift. An unchanged cursor ends the list.
    const after =
      cursor && !requested.page
        ? items.length >= place.limit && id !== requested[cursor] && { [cursor]: id }
        : number < place.pages && { page: number + 1 };
    return { items, ...place, next: async () => (after ? read({ ...requested, ...after }) : undefined) };
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

/**
 * A list that can also be read forwards: begun with `after`, it goes on to the newer items, and all of it is oldest first.
 */
export const pagesBothWays: typeof pagesOf = (ask, query, cursor) => {
  if (!query?.after) return pagesOf(ask, query, cursor);
  const askForwards: typeof ask = async (requested) => {
    const answer = await ask(requested);
    return { ...answer, data: (answer.data as unknown[]).reverse() };
  };
  return pagesOf(askForwards, query, ['after', 'id']);
};

interface Listed<Item> extends Answer {
  data: Item[];
  pagination: NonNullable<Answer['pagination']>;
}

/** A page of a list that only grows. */
export interface FeedPage<Item> {
  items: Item[];
  /** Store it to continue later; null on an empty page, after which the previous cursor stays valid. */
  nextCursor: string | null;
  /** Reads the page after these items; undefined if there is none yet. */
  next(): Promise<FeedPage<Item> | undefined>;
}

/** A feed that is not requested yet: await it for one page, or iterate over it up to its end. */
export interface Feed<Item> extends PromiseLike<FeedPage<Item>>, AsyncIterable<Item> {}

/** Reads on by the cursor that each page names. */
export function feedOf<Item>(ask: (query: Query) => Promise<Answer>, query: Query = {}): Feed<Item> {
  async function read(requested: Query): Promise<FeedPage<Item>> {
    const { data, pagination } = await ask(requested);
    const { nextCursor } = pagination as unknown as { nextCursor: string | null };
    const next = async () => {
      const isEnd = nextCursor === null || nextCursor === requested.after;
      const page = isEnd ? undefined : await read({ ...requested, after: nextCursor });
      return page && page.items.length > 0 ? page : undefined;
    };
    return { items: data as Item[], nextCursor, next };
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: awaiting a feed is asking for its first page
    then: (done, failed) => read(query).then(done, failed),
    async *[Symbol.asyncIterator]() {
      for (let page: FeedPage<Item> | undefined = await read(query); page; page = await page.next())
        yield* page.items;
    },
  };
}
