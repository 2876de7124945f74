import { recentlyUsed } from '../../kernel/concurrency/recently-used.ts';
import type { PageRequest } from '../../kernel/database/pagination.ts';
import { offsetOf } from '../../kernel/database/pagination.ts';
import type { FoundStore } from './found.store.ts';
import type { FoundDocument } from './matches.store.ts';
import { MAX_FOUND, type Question } from './search.model.ts';

const MAX_REMEMBERED = 10_000;
/** For how long a total that has reached its maximum is believed. */
const BELIEVED_MS = 10_000;

/**
 * Returns pages with their totals. Counting up to the maximum takes longer than finding a page, so a query that reached
 * it is not counted again for some seconds. Only documents that every member may find are believed in, only for callers
 * from whom no record is kept, and the page itself is always read. So what one member may find changes nothing for
 * another; that a frequent word was searched for a moment ago can be told from the time of an answer.
 */
export function countedPages(
  found: Pick<FoundStore, 'count' | 'page'>,
  { believedMs = BELIEVED_MS, nowMs = () => performance.now() } = {},
) {
  const reachedAtMs = recentlyUsed<string, number>(MAX_REMEMBERED);

  return async (
    question: Question,
    request: PageRequest,
  ): Promise<{ total: number; documents: FoundDocument[] }> => {
    const { query, rights, type } = question;
    const name = JSON.stringify([query, type]);
    async function count(): Promise<number> {
      const askedAtMs = nowMs();
      const { matches, forAll } = await found.count(question);
      if (forAll === MAX_FOUND) reachedAtMs.set(name, askedAtMs);
      return matches;
    }

    const atMs = rights.excluded.length === 0 ? reachedAtMs.get(name) : undefined;
    if (atMs === undefined || nowMs() - atMs >= believedMs) {
      const [total, documents] = await Promise.all([count(), found.page(question, request)]);
      return { total, documents };
    }
    const documents = await found.page(question, request);
    const expected = Math.min(request.limit, MAX_FOUND - offsetOf(request));
    if (documents.length >= expected) return { total: MAX_FOUND, documents };
    reachedAtMs.delete(name);
    return { total: await count(), documents };
  };
}
