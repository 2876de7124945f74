import { listWebhookDeliveries, type WebhookDelivery, type WebhookEndpointDetail } from '@platform-api/sdk';
import { ActionButton } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Menu } from '../parts/menu.tsx';
import { Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import type { Column } from '../parts/table.tsx';
import { Figures, Id, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to, usePlace } from '../router.ts';
import { count, relative } from '../text.ts';
import {
  changeAction,
  deleteAction,
  enableAction,
  hostOf,
  replayAction,
  rotateAction,
  testAction,
} from '../webhooks/actions.tsx';
import { WebhookDeliveryPage } from '../webhooks/delivery.tsx';
import { DeliveryTag, EndpointTag } from '../webhooks/state.tsx';

const above = { href: to('/webhooks'), text: 'Webhooks' };

/** An endpoint with its deliveries or, with `?delivery=`, one of its deliveries. */
export default function WebhookPage({ id }: { id: string }) {
  const { delivery } = usePlace().query;
  const read = useQuery(id, (by, signal) => by.webhookEndpoints.get(id, { signal }), { pollMs: 15_000 });
  const { data } = read;
  if (!data)
    return <Pending title="Endpoint" above={above} beside={<Id id={id} />} what="The endpoint" of={read} />;
  if (delivery) return <WebhookDeliveryPage endpoint={data} id={delivery} />;
  return <Endpoint of={data} />;
}

const FILTERS: Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    values: (['pending', 'delivered', 'failed'] as const).map((one) => [one, one]),
  },
  { kind: 'search', name: 'type', label: 'Type, such as wallet.funded' },
];

const columnsOf = (endpoint: string): Column<WebhookDelivery>[] => [
  {
    head: 'Event',
    cell: ({ id, type, eventId }) => (
      <>
        <a href={to(`/webhooks/${endpoint}`, { delivery: id })}>{type}</a>
        <small>{eventId}</small>
      </>
    ),
  },
  { head: 'Number', isNumber: true, cell: ({ sequence }) => count(sequence) },
  { head: 'State', cell: (row) => <DeliveryTag {...row} /> },
  { head: 'Tries', isNumber: true, cell: ({ attempts }) => count(attempts) },
  {
    head: 'Last answer',
    isText: true,
    cell: ({ lastError, responseStatus, responseMs }) => (
      <>
        {responseStatus !== null && `${responseStatus} after ${count(responseMs ?? 0)} ms`}
        {lastError && <small class="bad-text">{lastError}</small>}
      </>
    ),
  },
  { head: 'Next try', cell: ({ nextAttemptAt }) => <Time at={nextAttemptAt} /> },
  { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const Endpoint = ({ of }: { of: WebhookEndpointDetail }) => (
  <Page
    title={hostOf(of)}
    above={above}
    beside={
      <>
        <EndpointTag of={of} /> {of.description} <Id id={of.id} />
      </>
    }
    actions={
      <>
        <ActionButton action={testAction(of)} />
        <ActionButton action={replayAction(of)} />
        <Menu actions={[changeAction(of), enableAction(of), rotateAction(of), deleteAction(of)]} />
      </>
    }
  >
    <Trouble of={of} />
    <Figures
      of={[
        {
          label: 'Waiting',
          value: count(of.pending),
          href: to(`/webhooks/${of.id}`, { status: 'pending' }),
        },
        {
          label: 'Failed',
          value: count(of.failed),
          href: to(`/webhooks/${of.id}`, { status: 'failed' }),
          tone: of.failed ? 'bad' : undefined,
        },
        { label: 'Last delivered', value: of.lastDeliveredAt ? relative(of.lastDeliveredAt) : 'never' },
        {
          label: 'Types',
          value: of.types.includes('*') ? 'all' : count(of.types.length),
          below: of.types.includes('*') ? undefined : of.types.join(' '),
        },
        {
          label: 'Order',
          value: of.ordered ? 'kept' : 'free',
          below: of.ordered ? 'one after another' : 'as they come',
        },
      ]}
    />
    <Listing
      operation={listWebhookDeliveries}
      params={{ id: of.id }}
      filters={FILTERS}
      pollMs={5_000}
      what="The deliveries"
      caption="Deliveries, newest first"
      columns={columnsOf(of.id)}
      keyOf={({ id }) => id}
      empty="No deliveries to show."
      file="webhook-deliveries"
    />
  </Page>
);

/** Says why an endpoint receives nothing, if it is disabled or failing. */
const Trouble = ({ of: { enabled, disabledReason, failingSince } }: { of: WebhookEndpointDetail }) => {
  if (!enabled)
    return (
      <Note tone={disabledReason ? 'bad' : 'info'}>
        <strong>{disabledReason ? 'The platform disabled it.' : 'It is disabled.'}</strong>{' '}
        {disabledReason && `${disabledReason}. `}What happens meanwhile waits until it is enabled.
      </Note>
    );
  return failingSince ? (
    <Note tone="bad">
      <strong>Deliveries have failed</strong> since <Time at={failingSince} />. They are tried again by
      themselves; after five days without success the endpoint is disabled.
    </Note>
  ) : null;
};
