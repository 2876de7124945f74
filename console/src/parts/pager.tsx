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

/** Which rows came before those at a cursor, as far as this visit has seen: a list goes back the way it came. */
const formerly = new Map<string, { before: string | undefined; first: number }>();

/** "312", or "more than 10,000" where counting stopped. */
export const totalOf = ({ total, totalIsExact = true }: Pick<Shown, 'total' | 'totalIsExact'>): string =>
  totalIsExact ? count(total) : `more than ${count(total)}`;

interface PagerParts {
  shown: Shown | undefined;
  /** The cursor of the last row, where the list goes on by one. */
  cursor: string | undefined;
}

/** "26 to 50 of 312", and the way to newer and older rows; nothing if all fit on one page. */
export function Pager({ shown, cursor }: PagerParts) {
  const { path, query } = usePlace();
  if (!shown || shown.items.length === 0) return null;
  const { items, limit } = shown;
  const { before } = query;
  const former = formerly.get(before ?? '');
  const page = Number(query.page ?? 1);
  const first = cursor === undefined ? (page - 1) * limit + 1 : before ? former?.first : 1;
  const isFull = items.length >= limit;
  const hasOlder = cursor === undefined ? page < shown.pages : isFull && shown.total > items.length;
  const hasNewer = page > 1 || before !== undefined;
  const older = cursor === undefined ? { page: String(page + 1) } : { before: cursor };
  // Not before it is followed: while older rows are read, the address has moved on and these rows have not.
  const note = () => {
    if (cursor !== undefined && cursor !== before)
      formerly.set(cursor, { before, first: (first ?? 1) + items.length });
  };
  const newer = () =>
    cursor === undefined ? { page: page > 2 ? String(page - 1) : undefined } : { before: former?.before };
  if (!hasOlder && !hasNewer) return <p class="pager">{rangeOf(1, items.length)}</p>;
  const rest = { ...query, page: undefined, before: undefined };
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span>
        {rangeOf(first, items.length)} of {totalOf(shown)}
      </span>
      {hasNewer ? (
        <a class="button" href={to(path, { ...rest, ...newer() })}>
          {before !== undefined && !former ? 'Newest' : 'Newer'}
        </a>
      ) : (
        <span class="button" aria-disabled="true">
          Newer
        </span>
      )}
      {hasOlder ? (
        <a class="button" href={to(path, { ...rest, ...older })} onClick={note}>
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

/** The place of the rows; of those that a link led to, only their number is known. */
const rangeOf = (first: number | undefined, length: number): string =>
  first === undefined ? count(length) : `${count(first)} to ${count(first + length - 1)}`;
