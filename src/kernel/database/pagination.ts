import type { Queries } from './queries.ts';

export interface PageRequest {
  /** From 1. */
  page: number;
  limit: number;
  /** The id of the item after which the page starts; `page` is then 1. */
  before?: string;
}

export interface Page<T> extends PageRequest {
  items: T[];
  /** Number of items on all pages. */
  total: number;
}

export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit;

interface PagedQuery {
  columns: string;
  /** The tables with joins and conditions; `$1` is the first of the values. */
  from: string;
  /** By descending ids if the request may have a cursor. */
  orderBy: string;
  /** Selects the total from the same values, if it is stored or cheaper than counting the rows of `from`. */
  count?: string;
}

/** Reads one page of ordered rows and the total number of rows. */
export async function readPage<Row extends object>(
  queries: Queries,
  { columns, from, orderBy, count = `select count(*) from ${from}` }: PagedQuery,
  values: unknown[],
  request: PageRequest,
): Promise<Page<Row>> {
  const [limit, offset, id] = [values.length + 1, values.length + 2, values.length + 3];
  const { before } = request;
  const rest = before === undefined ? '' : `and id < $${id}`;
  const text = `select ${columns} from ${from} ${rest} order by ${orderBy} limit $${limit} offset $${offset}`;
  const place = [request.limit, offsetOf(request), ...(before === undefined ? [] : [before])];
  const [total, items] = await Promise.all([
    queries.count(count, values),
    queries.all<Row>(text, [...values, ...place]),
  ]);
  return { ...request, items, total };
}

/** Returns the page with each item mapped to its representation in the API. */
export function mapPage<A, B>(page: Page<A>, view: (item: A) => B): Page<B> {
  return { ...page, items: page.items.map(view) };
}
