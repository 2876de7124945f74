import {
  cancelLivestream,
  endLivestream,
  type Livestream,
  listLivestreams,
  startLivestream,
} from '@platform-api/sdk';
import { type Action, ActionButton, reasonOf } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Person, Tag, Time, Titled } from '../parts/values.tsx';
import { nameOf } from '../text.ts';

const STATUSES = ['scheduled', 'live', 'ended', 'cancelled'];
const TONES: Partial<Record<Livestream['status'], 'ok' | 'info'>> = { live: 'ok', scheduled: 'info' };

const OPERATIONS = { Start: startLivestream, End: endLivestream, Cancel: cancelLivestream };

const move = ({ id, title }: Livestream, verb: keyof typeof OPERATIONS): Action => ({
  name: verb,
  title: `${verb} ${title}`,
  confirmLabel: `${verb} livestream`,
  isDangerous: verb === 'Cancel',
  reason: 'told',
  run: async (form, api) => {
    const request = { params: { livestreamId: id }, body: { reason: reasonOf(form) } };
    const { status } = await api.call(OPERATIONS[verb], request);
    return `${title} is ${status}.`;
  },
});

const SYNC: Action = {
  name: 'Synchronize schedule',
  title: 'Synchronize the schedule now',
  confirmLabel: 'Synchronize',
  run: async (form, api) => {
    const { created, updated, removed } = await api.schedule.sync({ reason: reasonOf(form) });
    return `Synchronized: ${created} new, ${updated} changed, ${removed} removed.`;
  },
};

const COLUMNS: Column<Livestream>[] = [
  {
    head: 'Livestream',
    isText: true,
    cell: ({ title, description }) => <Titled title={title} below={description} />,
  },
  { head: 'Host', isText: true, cell: ({ hostId, host }) => <Person id={hostId} name={nameOf(host)} /> },
  { head: 'State', cell: ({ status }) => <Tag tone={TONES[status] ?? 'none'}>{status}</Tag> },
  { head: 'Begins', cell: ({ scheduledStart, startedAt }) => <Time at={startedAt ?? scheduledStart} /> },
  { head: 'Ends', cell: ({ scheduledEnd, endedAt }) => <Time at={endedAt ?? scheduledEnd} /> },
  {
    head: '',
    cell: (row) => (
      <>
        {row.status === 'scheduled' && <ActionButton action={move(row, 'Start')} />}
        {row.status === 'live' && <ActionButton action={move(row, 'End')} />}
        {row.status === 'scheduled' && <ActionButton action={move(row, 'Cancel')} />}
      </>
    ),
  },
];

const FILTERS: Filter[] = [
  { kind: 'choice', name: 'status', label: 'State', values: STATUSES.map((one) => [one, one]) },
  { kind: 'link', name: 'hostId', label: 'Host' },
];

export default function Livestreams() {
  return (
    <Page title="Content" actions={<ActionButton action={SYNC} />}>
      <Listing
        operation={listLivestreams}
        filters={FILTERS}
        pollMs={15_000}
        what="The livestreams"
        caption="Livestreams, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No livestreams to show."
        file="livestreams"
      />
    </Page>
  );
}
