import { type Chatroom, listChatrooms } from '@platform-api/sdk';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Tag, Time } from '../parts/values.tsx';
import { to } from '../router.ts';
import { count } from '../text.ts';

const COLUMNS: Column<Chatroom>[] = [
  {
    head: 'Chatroom',
    isText: true,
    cell: ({ id, name, description }) => (
      <>
        <a href={to(`/chatrooms/${id}`)}>{name}</a>
        <small class="long">{description}</small>
      </>
    ),
  },
  { head: 'Type', cell: ({ type }) => <Tag tone="none">{type}</Tag> },
  { head: 'Members', isNumber: true, cell: ({ memberCount }) => count(memberCount) },
  { head: 'Here now', isNumber: true, cell: ({ activeNow }) => activeNow > 0 && count(activeNow) },
  { head: 'Last message', cell: ({ lastMessageAt }) => <Time at={lastMessageAt} /> },
  { head: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const FILTERS: Filter[] = [
  { kind: 'search', name: 'search', label: 'Name' },
  {
    kind: 'choice',
    name: 'type',
    label: 'Type',
    values: ['public', 'private', 'group'].map((one) => [one, one]),
  },
];

/** Its rows are not offered as a file: they have the last message of each room, also of private ones. */
export default function Chatrooms() {
  return (
    <Page title="Community">
      <Listing
        operation={listChatrooms}
        filters={FILTERS}
        what="The chatrooms"
        caption="Chatrooms, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No chatrooms to show."
      />
    </Page>
  );
}
