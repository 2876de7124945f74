import { type Delivery, listDeliveries } from '@platform-api/sdk';
import type { Api } from '../api.ts';
import { runForEach, succeeded } from '../last-action.ts';
import { type Action, ActionButton, AtOnce, reasonOf } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Person, Tag, Time } from '../parts/values.tsx';
import { count, plural, nameOf as whoseName } from '../text.ts';

const STATUSES = ['pending', 'batched', 'sent', 'failed', 'muted', 'unavailable', 'read', 'suppressed'];

const TONES: Partial<Record<Delivery['status'], 'bad' | 'warn'>> = { failed: 'bad', pending: 'warn' };

async function retry({ notificationId, channel }: Delivery, api: Api): Promise<string> {
  const { count: queued } = await api.notifications.replayDeliveries({
    delivery: { notificationId, channel },
  });
  return queued ? 'queued' : 'not failed any more';
}

const RETRY_ALL: Action = {
  name: 'Retry all failed',
  title: 'Retry all failed deliveries',
  confirmLabel: 'Retry all',
  note: 'Each is sent once more. What was sent is not sent again.',
  run: async (form, api) => {
    const { count: queued } = await api.notifications.replayDeliveries({ reason: reasonOf(form) });
    return `${plural(queued, 'delivery is', 'deliveries are')} sent again.`;
  },
};

const COLUMNS: Column<Delivery>[] = [
  {
    head: 'Member',
    cell: ({ userId, user }) => <Person id={userId} name={whoseName(user)} email={user?.email} />,
  },
  {
    head: 'What',
    isText: true,
    cell: ({ title, type, kind }) => (
      <>
        <strong>{title ?? 'deleted'}</strong>
        <small>{kind === 'transactional' ? `${type}, transactional` : type}</small>
      </>
    ),
  },
  {
    head: 'Channel',
    isText: true,
    cell: ({ channel, to: address }) => (
      <>
        {channel}
        {address && <small>{address}</small>}
      </>
    ),
  },
  { head: 'State', cell: ({ status }) => <Tag tone={TONES[status] ?? 'none'}>{status}</Tag> },
  { head: 'Tries', isNumber: true, cell: ({ attempts }) => count(attempts) },
  {
    head: 'Last answer',
    isText: true,
    cell: ({ lastError, lastResponse, suppressed }) => (
      <>
        {lastError ?? lastResponse}
        {suppressed && <Tag tone="warn">refuses our mail</Tag>}
      </>
    ),
  },
  { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: '',
    cell: (row) =>
      row.status === 'failed' && (
        <AtOnce
          name="Retry"
          failed="It was not sent again"
          run={async (api) => `The delivery is ${await retry(row, api)}.`}
        />
      ),
  },
];

const FILTERS: Filter[] = [
  { kind: 'choice', name: 'status', label: 'State', values: STATUSES.map((one) => [one, one]) },
  {
    kind: 'choice',
    name: 'channel',
    label: 'Channel',
    values: ['email', 'push', 'sms'].map((one) => [one, one]),
  },
  {
    kind: 'choice',
    name: 'kind',
    label: 'Kind',
    values: [
      ['notification', 'notifications'],
      ['transactional', 'transactional mails'],
    ],
  },
  { kind: 'date', name: 'from', label: 'From' },
  { kind: 'link', name: 'userId', label: 'Member' },
  { kind: 'link', name: 'notificationId', label: 'Notification' },
];

const keyOf = ({ notificationId, channel }: Delivery): string => `${notificationId} ${channel}`;
const nameOf = ({ channel, notificationId }: Delivery): string => `${channel} of ${notificationId}`;

const retryMany = (rows: Delivery[]): Action => ({
  name: `Retry ${rows.length}`,
  title: `Retry ${plural(rows.length, 'delivery', 'deliveries')}`,
  reason: 'none',
  run: async (_form, api) => {
    const outcomes = await runForEach(rows, { nameOf, keyOf }, (row) => retry(row, api));
    return { sentence: `Retried ${succeeded(outcomes)}.`, outcomes };
  },
});

export default function Deliveries() {
  return (
    <Page title="Notifications" actions={<ActionButton action={RETRY_ALL} />}>
      <Listing
        operation={listDeliveries}
        filters={FILTERS}
        pollMs={15_000}
        what="The deliveries"
        caption="Deliveries, newest first"
        columns={COLUMNS}
        keyOf={keyOf}
        empty="No deliveries to show."
        file="deliveries"
        bulk={{ nameOf, actions: (rows) => <ActionButton action={retryMany(rows)} class="primary" /> }}
      />
    </Page>
  );
}
