import type { Account } from '@platform-api/sdk';
import { Filters } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { type Column, List } from '../parts/table.tsx';
import { Person, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to, usePlace } from '../router.ts';
import { count } from '../text.ts';

const COLUMNS: Column<Account>[] = [
  {
    head: 'Member',
    cell: ({ id, firstName, lastName, email }) => (
      <Person id={id} name={`${firstName} ${lastName}`.trim()} email={email} />
    ),
  },
  { head: 'Username', cell: ({ username }) => username },
  { head: 'Permissions', cell: ({ permissions }) => permissions.join(', ') },
  { head: 'Joined', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'State',
    cell: ({ isActive }) => (isActive ? <Tag tone="none">Active</Tag> : <Tag tone="bad">Deactivated</Tag>),
  },
];

export default function Members() {
  const { query } = usePlace();
  const { search, page } = query;
  const members = useQuery(JSON.stringify([search, page]), (api, signal) =>
    api.users.list({ limit: 25, page: Number(page ?? 1), ...(search ? { search } : {}) }, { signal }),
  );
  return (
    <Page title="Members" beside={members.data && `${count(members.data.total)} in all`}>
      <Filters path="/" search={{ label: 'Name, e-mail, username or id' }} />
      <div class="card">
        <List
          query={members}
          what="The members"
          caption="Members"
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty={
            <>
              No member matches “{search}”. <a href={to('/')}>Clear filters</a>
            </>
          }
        />
        <Pager path="/" shown={members.data} />
      </div>
    </Page>
  );
}
