import type { Queries } from './queries.ts';

export interface PageRequest {
  /** From 1. */
  page: number;
  limit: number;
  /** The cursor of the item after which the page starts, usually its id; `page` is then 1. */
  before?: string;
}

export interface Page<T> extends PageRequest {
  items: T[];
  /** Number of items on all pages, or {@link MOST_COUNTED} if counting stopped there. */
  total: number;
  /** For lists whose total stops at {@link MOST_COUNTED}: whether there are no more than that. */
  totalIsExact?: boolean;
  /** Sums over all items that the filter matches, for lists that have them. */
  summary?: PageSummary;
}

/** Sums over all items of a list. */
export interface PageSummary {
  count: number;
  keys: number;
  /** US dollars. */
  usd: number;
  /** When the oldest item was made; null if there is none. */
  oldestAt: Date | null;
}

/** A part of a list that only grows, and where to read on. */
export interface Feed<Item> {
  items: Item[];
  /** The cursor of the last item; null if there are no items. */
  nextCursor: string | null;
}

/** Where the totals of growing lists stop. */
export const MOST_COUNTED = 10_000;

/** Greater than every id: where a list by descending id begins that has no cursor. */
export const BEYOND_IDS = 'g';

export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit;

interface PagedQuery {
  columns: string;
  /** The tables with joins and conditions; `$1` is the first of the values. */
  from: string;
  /** Descending by the columns of the cursor if the request may have one. */
  orderBy: string;
  /** The columns of the list's order and their values in a cursor; by default the id. */
  cursor?: (before: string) => { columns: string; values: unknown[] };
  /** Selects the total from the same values, if it is stored or cheaper than counting the rows of `from`. */
  count?: string;
  /** Whether the total stops at {@link MOST_COUNTED}. */
  isGrowing?: boolean;
}

/** Reads one page of ordered rows and the total number of rows. */
export async function readPage<Row extends object>(
  queries: Pick<Queries, 'all' | 'count'>,
  {
    columns,
    from,
    orderBy,
    cursor = (id) => ({ columns: 'id', values: [id] }),
    count = `select count(*) from ${from}`,
    isGrowing = false,
  }: PagedQuery,
  values: unknown[],
  request: PageRequest,
): Promise<Page<Row>> {
  const place = request.before === undefined ? undefined : cursor(request.before);
  const all = [...values, request.limit, offsetOf(request), ...(place?.values ?? [])];
  const [limit, offset] = [values.length + 1, values.length + 2];
  const rest = place
    ? `and (${place.columns}) < (${place.values.map((_, index) => `$${offset + 1 + index}`).join(', ')})`
    : '';
  const text = `select ${columns} from ${from} ${rest} order by ${orderBy} limit $${limit} offset $${offset}`;
  const [total, items] = await Promise.all([
    isGrowing
      ? queries.count(`select count(*) from (select from ${from} limit ${MOST_COUNTED + 1}) counted`, values)
      : queries.count(count, values),
    queries.all<Row>(text, all),
  ]);
  return isGrowing ? { ...request, items, ...boundedTotal(total) } : { ...request, items, total };
}

/** Returns the total of a growing list from a count that stopped one after {@link MOST_COUNTED}. */
export const boundedTotal = (counted: number): { total: number; totalIsExact: boolean } => ({
  total: Math.min(counted, MOST_COUNTED),
  totalIsExact: counted <= MOST_COUNTED,
});

/** Returns the page with each item mapped to its representation in the API. */
export function mapPage<A, B>(page: Page<A>, view: (item: A) => B): Page<B> {
  return { ...page, items: page.items.map(view) };
}
