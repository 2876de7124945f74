import type { Queries } from './queries.ts';

export interface PageRequest {
  /** From 1. */
  page: number;
  limit: number;
  /** The cursor of the item after which the page starts, usually its id; `page` is then 1. */
  before?: string;
  /** The same in a list that is ordered by an instant and an id, both descending or both ascending: those of that item. */
  after?: Moment;
}

/** A position in a list that is ordered by an instant and an id. */
interface Moment {
  at: Date;
  id: string;
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
  /** Maximum number of items on a page. */
  limit: number;
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
  /** The same rows with fewer joins, if these are only for the order; the total is counted in them. */
  counted?: string;
  /** By the descending id if the request may have `before`, and by the columns of `moment` if it may have `after`. */
  orderBy: string;
  /** The column to which `before` refers; by default `id`. */
  id?: string;
  /** The columns with the instant and the id to which `after` refers: `created_at, user_id`. */
  moment?: string;
  /** Whether these two columns ascend. */
  isAscending?: boolean;
  /** Selects the total from the same values, if it is stored or cheaper than counting the rows of `from`. */
  count?: string;
  /** Whether the total stops at {@link MOST_COUNTED}. */
  isGrowing?: boolean;
}

/** Reads one page of ordered rows and the total number of rows. */
export async function readPage<Row extends object>(
  queries: Pick<Queries, 'all' | 'count'>,
  query: PagedQuery,
  values: unknown[],
  request: PageRequest,
): Promise<Page<Row>> {
  const {
    columns,
    from,
    counted = from,
    orderBy,
    moment,
    isAscending = false,
    id = 'id',
    isGrowing = false,
  } = query;
  const { count = `select count(*) from ${counted}` } = query;
  const [limit, offset, first] = [values.length + 1, values.length + 2, values.length + 3];
  const { before, after } = request;
  let rest = '';
  const place: unknown[] = [request.limit, offsetOf(request)];
  if (after) {
    rest = `and (${moment}) ${isAscending ? '>' : '<'} ($${first}, $${first + 1})`;
    place.push(after.at, after.id);
  } else if (before !== undefined) {
    rest = `and ${id} < $${first}`;
    place.push(before);
  }
  const text = `select ${columns} from ${from} ${rest} order by ${orderBy} limit $${limit} offset $${offset}`;
  const [total, items] = await Promise.all([
    isGrowing
      ? queries.count(
          `select count(*) from (select from ${counted} limit ${MOST_COUNTED + 1}) counted`,
          values,
        )
      : queries.count(count, values),
    queries.all<Row>(text, [...values, ...place]),
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
