import { type Community, listCommunities } from '@platform-api/sdk';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Person, Time } from '../parts/values.tsx';
import { to } from '../router.ts';
import { count, nameOf } from '../text.ts';

const COLUMNS: Column<Community>[] = [
  {
    head: 'Community',
    isText: true,
    cell: ({ id, name, description }) => (
      <>
        <a href={to(`/communities/${id}`)}>{name}</a>
        <small class="long">{description}</small>
      </>
    ),
  },
  {
    head: 'Creator',
    isText: true,
    cell: ({ creator }) => <Person id={creator.id} name={nameOf(creator)} />,
  },
  { head: 'Members', isNumber: true, cell: ({ memberCount }) => count(memberCount) },
  { head: 'Posts', isNumber: true, cell: ({ postCount }) => count(postCount) },
  { head: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const FILTERS: Filter[] = [{ kind: 'search', name: 'search', label: 'Name' }];

export default function Communities() {
  return (
    <Page title="Community">
      <Listing
        operation={listCommunities}
        filters={FILTERS}
        what="The communities"
        caption="Communities, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No communities to show."
        file="communities"
      />
    </Page>
  );
}
