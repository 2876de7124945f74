import { type SelectQueryBuilder, sql } from 'kysely';
import type { Queries } from './database/queries.ts';

export interface PageRequest {
  /** From 1. */
  page: number;
  limit: number;
}

export interface Page<T> extends PageRequest {
  items: T[];
  /** How many there are on all pages. */
  total: number;
}

export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit;

/** Reads one page of an ordered query, and counts the whole. */
export async function readPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  request: PageRequest,
): Promise<Page<O>> {
  const counting = query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  const [{ total }, items] = await Promise.all([
    counting as Promise<{ total: number }>,
    query.limit(request.limit).offset(offsetOf(request)).execute(),
  ]);
  return { ...request, items, total };
}

interface PagedSql {
  columns: string;
  /** With joins and conditions, `$1` the first of the values. */
  from: string;
  orderBy: string;
  /** Answers the number of all as `total`, where it is kept or comes cheaper than by counting; of the same values. */
  count?: string;
}

/** The same in SQL as it is written. */
export async function readSqlPage<Row>(
  queries: Queries,
  { columns, from, orderBy, count = `select count(*) as total from ${from}` }: PagedSql,
  values: unknown[],
  request: PageRequest,
): Promise<Page<Row>> {
  const [limit, offset] = [values.length + 1, values.length + 2];
  const [counted, found] = await Promise.all([
    queries.sql(count, values),
    queries.sql(`select ${columns} from ${from} order by ${orderBy} limit $${limit} offset $${offset}`, [
      ...values,
      request.limit,
      offsetOf(request),
    ]),
  ]);
  const total = (counted.rows[0]?.total as number | undefined) ?? 0;
  return { ...request, items: found.rows as unknown as Row[], total };
}

/** The same page with each item made into what clients see. */
export function mapPage<A, B>(page: Page<A>, view: (item: A) => B): Page<B> {
  return { ...page, items: page.items.map(view) };
}
