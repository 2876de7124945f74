import { type LiveConnection, listLiveConnections } from '@platform-api/sdk';
import { type Action, ActionButton, reasonOf } from '../parts/action.tsx';
import { Card } from '../parts/card.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import { type Column, List } from '../parts/table.tsx';
import { Id, Person, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { count, nameOf } from '../text.ts';

const close = ({ id, user }: LiveConnection): Action => ({
  name: 'Close',
  title: `Close a live connection of ${nameOf(user)}`,
  confirmLabel: 'Close connection',
  note: 'Apps connect again by themselves. To keep a member out, mute them or end their sessions.',
  run: async (form, api) => {
    await api.liveChannel.closeLiveConnection(id, { reason: reasonOf(form) });
    return `Closed a connection of ${nameOf(user)}.`;
  },
});

const COLUMNS: Column<LiveConnection>[] = [
  {
    head: 'Member',
    cell: ({ userId, user }) =>
      userId ? <Person id={userId} name={nameOf(user)} email={user?.email} /> : 'not signed in yet',
  },
  { head: 'Device', cell: ({ device }) => device },
  { head: 'Rooms', isNumber: true, cell: ({ rooms }) => count(rooms.length) },
  { head: 'Process', cell: ({ node }) => <Id id={node} /> },
  { head: 'Since', cell: ({ since }) => <Time at={since} /> },
  { head: '', cell: (row) => <ActionButton action={close(row)} /> },
];

const FILTERS: Filter[] = [{ kind: 'link', name: 'userId', label: 'Member' }];

function Nodes() {
  const nodes = useQuery(
    'nodes',
    async (by, signal) => ({ items: await by.liveChannel.listLiveNodes({ signal }) }),
    { pollMs: 5_000 },
  );
  return (
    <Card title="Processes">
      <List
        query={nodes}
        what="The processes"
        caption="Processes that hold live connections"
        keyOf={({ id }) => id}
        empty="No process holds live connections."
        columns={[
          { head: 'Process', cell: ({ id }) => <Id id={id} /> },
          {
            head: 'Connections',
            isNumber: true,
            cell: ({ connections }) => <strong>{count(connections)}</strong>,
          },
          { head: 'Rooms', isNumber: true, cell: ({ rooms }) => count(rooms) },
          {
            head: 'Messages a second',
            isNumber: true,
            cell: ({ framesPerSecond }) => count(framesPerSecond),
          },
          { head: 'Closed as too slow', isNumber: true, cell: ({ slow }) => slow > 0 && count(slow) },
          {
            head: 'Bus',
            cell: ({ bus }) => <Tag tone={bus ? 'ok' : 'bad'}>{bus ? 'reaches the others' : 'alone'}</Tag>,
          },
        ]}
      />
    </Card>
  );
}

export default function Live() {
  return (
    <Page title="Live" beside="Who is connected now">
      <Nodes />
      <Listing
        operation={listLiveConnections}
        filters={FILTERS}
        pollMs={15_000}
        what="The connections"
        caption="Live connections, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="Nobody is connected."
        file="connections"
      />
    </Page>
  );
}
