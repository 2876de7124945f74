import { listAllPosts, search } from '@platform-api/sdk';
import { POST_ANYWHERE_COLUMNS } from '../community/posts.tsx';
import { type Filter, Filters } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { List } from '../parts/table.tsx';
import { Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to, usePlace } from '../router.ts';

const FILTERS: Filter[] = [
  { kind: 'search', name: 'q', label: 'Words of a post' },
  { kind: 'link', name: 'userId', label: 'Author' },
];

const LIMIT = 25;

/** The posts with these words, best match first, as the search of members finds them. */
const Found = ({ q, page }: { q: string; page: string }) => {
  const rows = useQuery(`${q} ${page}`, async (by, signal) => {
    const query = { q, type: 'post', page: Number(page), limit: LIMIT } as const;
    const { results, totalResults: total } = await by.call(search, { query }, { signal });
    return { items: results, page: Number(page), limit: LIMIT, total, pages: Math.ceil(total / LIMIT) };
  });
  return (
    <>
      <div class="above-rows">
        <Filters of={FILTERS} />
      </div>
      <div class="card">
        <List
          query={rows}
          what="The posts"
          caption="Posts with these words, best match first"
          keyOf={({ id }) => id}
          empty="No post has these words."
          isSmall={false}
          columns={[
            {
              head: 'Post',
              isText: true,
              cell: ({ id, title }) => <a href={to(`/posts/${id}`)}>{title}</a>,
            },
            { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
        <Pager shown={rows.data} cursor={undefined} />
      </div>
    </>
  );
};

export default function Posts() {
  const { q, page = '1' } = usePlace().query;
  return (
    <Page title="Community">
      {q ? (
        <Found q={q} page={page} />
      ) : (
        <Listing
          operation={listAllPosts}
          filters={FILTERS}
          what="The posts"
          caption="Posts of all communities, newest first"
          columns={POST_ANYWHERE_COLUMNS}
          keyOf={({ id }) => id}
          empty="No posts to show."
          file="posts"
        />
      )}
    </Page>
  );
}
