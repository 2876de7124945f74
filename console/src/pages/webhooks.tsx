import { listWebhookEndpoints, type WebhookEndpoint } from '@platform-api/sdk';
import { ActionButton } from '../parts/action.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/values.tsx';
import { to } from '../router.ts';
import { count } from '../text.ts';
import { hostOf, REGISTER } from '../webhooks/actions.tsx';
import { EndpointTag } from '../webhooks/state.tsx';

const COLUMNS: Column<WebhookEndpoint>[] = [
  {
    head: 'Endpoint',
    isText: true,
    cell: ({ id, url, description }) => (
      <>
        <a href={to(`/webhooks/${id}`)}>{hostOf({ url })}</a>
        <small>{description}</small>
      </>
    ),
  },
  {
    head: 'Types',
    cell: ({ types }) =>
      types.map((type) => (
        <code key={type} class="entry">
          {type}
        </code>
      )),
  },
  {
    head: 'State',
    cell: (row) => (
      <>
        <EndpointTag of={row} />
        {row.failingSince && (
          <small>
            since <Time at={row.failingSince} />
          </small>
        )}
      </>
    ),
  },
  { head: 'Deliveries', isNumber: true, cell: ({ lastSequence }) => count(lastSequence) },
  { head: 'Order', cell: ({ ordered }) => (ordered ? 'one after another' : 'as they come') },
  { head: 'Registered', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export default function Webhooks() {
  return (
    <Page
      title="Webhooks"
      beside="Where events are sent"
      actions={<ActionButton action={REGISTER} class="primary" />}
    >
      <Listing
        operation={listWebhookEndpoints}
        pollMs={15_000}
        what="The endpoints"
        caption="Webhook endpoints, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No endpoint is registered. Register one, and other systems learn what happens here."
        file="webhook-endpoints"
      />
    </Page>
  );
}
