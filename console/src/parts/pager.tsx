import { to, usePlace } from '../router.ts';
import { count } from '../text.ts';

interface Shown {
  items: unknown[];
  page: number;
  limit: number;
  total: number;
  pages: number;
  totalIsExact?: boolean | undefined;
}

/**
 * For each cursor that was followed in this tab: the cursor of the page before it, and the position of its first row.
 * "Newer" goes back by it, since lists with cursors can only be read forwards.
 */
const positionsBefore = new Map<string, { before: string | undefined; first: number }>();

/** "312", or "more than 10,000" if the platform stopped counting. */
export const totalOf = ({ total, totalIsExact = true }: Pick<Shown, 'total' | 'totalIsExact'>): string =>
  totalIsExact ? count(total) : `more than ${count(total)}`;

interface PagerParts {
  shown: Shown | undefined;
  /** The cursor of the last row; undefined if the list has numbered pages. */
  cursor: string | undefined;
}

/** "26 to 50 of 312" with links to newer and older rows; only the range if all rows fit on one page. */
export function Pager({ shown, cursor }: PagerParts) {
  const { path, query } = usePlace();
  if (!shown || shown.items.length === 0) return null;
  const { items, limit } = shown;
  const { before } = query;
  const previous = positionsBefore.get(before ?? '');
  const page = Number(query.page ?? 1);
  const first = cursor === undefined ? (page - 1) * limit + 1 : before ? previous?.first : 1;
  const isFull = items.length >= limit;
  const hasOlder = cursor === undefined ? page < shown.pages : isFull && shown.total > items.length;
  const hasNewer = page > 1 || before !== undefined;
  const older = cursor === undefined ? { page: String(page + 1) } : { before: cursor };
  // Stored when the link is followed: while the next page loads, the address is already the new one, the rows are not.
  const rememberPosition = () => {
    if (cursor !== undefined && cursor !== before)
      positionsBefore.set(cursor, { before, first: (first ?? 1) + items.length });
  };
  const newer = () =>
    cursor === undefined ? { page: page > 2 ? String(page - 1) : undefined } : { before: previous?.before };
  if (!hasOlder && !hasNewer) return <p class="pager">{rangeOf(1, items.length)}</p>;
  const rest = { ...query, page: undefined, before: undefined };
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span>
        {rangeOf(first, items.length)} of {totalOf(shown)}
      </span>
      {hasNewer ? (
        <a class="button" href={to(path, { ...rest, ...newer() })}>
          {before !== undefined && !previous ? 'Newest' : 'Newer'}
        </a>
      ) : (
        <span class="button" aria-disabled="true">
          Newer
        </span>
      )}
      {hasOlder ? (
        <a class="button" href={to(path, { ...rest, ...older })} onClick={rememberPosition}>
          Older
        </a>
      ) : (
        <span class="button" aria-disabled="true">
          Older
        </span>
      )}
    </nav>
  );
}

/** "26 to 50", or only the number of rows if their position is unknown, as after following a shared link. */
const rangeOf = (first: number | undefined, length: number): string =>
  first === undefined ? count(length) : `${count(first)} to ${count(first + length - 1)}`;
