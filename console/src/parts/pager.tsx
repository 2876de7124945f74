import { to, usePlace } from '../router.ts';
import { count } from '../text.ts';

interface Shown {
  items: unknown[];
  page: number;
  limit: number;
  total: number;
  pages: number;
}

/** "26 to 50 of 312", and the way to newer and older rows; nothing if all fit on one page. */
export function Pager({ path, shown }: { path: string; shown: Shown | undefined }) {
  const { query } = usePlace();
  if (!shown || shown.total === 0 || (shown.pages <= 1 && shown.page === 1)) return null;
  const { page, limit, total, pages, items } = shown;
  const first = (page - 1) * limit + 1;
  const at = (number: number) => to(path, { ...query, page: number === 1 ? undefined : String(number) });
  return (
    <nav class="pager" aria-label="Pages">
      <span>
        {count(first)} to {count(first + items.length - 1)} of {count(total)}
      </span>
      {page > 1 ? (
        <a class="button" href={at(page - 1)}>
          Newer
        </a>
      ) : (
        <span class="button" aria-disabled="true">
          Newer
        </span>
      )}
      {page < pages ? (
        <a class="button" href={at(page + 1)}>
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
