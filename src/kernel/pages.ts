import { type SelectQueryBuilder, sql } from 'kysely';

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

/** The same page with each item made into what clients see. */
export function mapPage<A, B>(page: Page<A>, view: (item: A) => B): Page<B> {
  return { ...page, items: page.items.map(view) };
}
