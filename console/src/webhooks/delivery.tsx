import type { WebhookDeliveryDetail, WebhookEndpoint } from '@platform-api/sdk';
import { ActionButton } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Page } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import { Id, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { count } from '../text.ts';
import { hostOf, replayAction } from './actions.tsx';
import { DeliveryTag } from './state.tsx';

/** A delivery: the request to the endpoint, and its response. */
export function WebhookDeliveryPage({ endpoint, id }: { endpoint: WebhookEndpoint; id: string }) {
  const above = { href: to(`/webhooks/${endpoint.id}`), text: hostOf(endpoint) };
  const read = useQuery(
    `${endpoint.id} ${id}`,
    (by, signal) => by.webhookEndpoints.getWebhookDelivery(endpoint.id, id, { signal }),
    { pollMs: 15_000 },
  );
  const { data } = read;
  if (!data)
    return <Pending title="Delivery" above={above} beside={<Id id={id} />} what="The delivery" of={read} />;
  return (
    <Page
      title={data.type}
      above={above}
      beside={
        <>
          <DeliveryTag {...data} /> <Id id={data.eventId} />
        </>
      }
      actions={<ActionButton action={replayAction(endpoint, data.sequence)} />}
    >
      <div class="columns">
        <div>
          <Card title="What is sent">
            {data.body === null ? (
              <p class="empty">The event is older than 30 days and was forgotten.</p>
            ) : (
              <pre>{readable(data.body)}</pre>
            )}
          </Card>
          <Answers of={data} />
        </div>
        <div>
          <Card title="Facts">
            <Facts
              of={[
                ['Number', count(data.sequence)],
                ['Tries', count(data.attempts)],
                ['Last error', data.lastError],
                ['Made', <Time key="made" at={data.createdAt} />],
                ['Delivered', data.deliveredAt && <Time key="delivered" at={data.deliveredAt} />],
                ['Next try', data.nextAttemptAt && <Time key="next" at={data.nextAttemptAt} />],
                ['Delivery', <Id key="id" id={data.id} />],
              ]}
            />
          </Card>
        </div>
      </div>
    </Page>
  );
}

const Answers = ({ of: { responses, attempts } }: { of: WebhookDeliveryDetail }) => (
  <Card title="Answers">
    {responses.length === 0 && (
      <p class="empty">{attempts === 0 ? 'It was not tried yet.' : 'No try was answered.'}</p>
    )}
    {responses.map(({ at, status, ms, body }) => (
      <div key={at}>
        <p>
          <Tag tone={status >= 200 && status < 300 ? 'none' : 'bad'}>{String(status)}</Tag> after {count(ms)}{' '}
          ms, <Time at={at} />
        </p>
        {body && <pre>{body}</pre>}
      </div>
    ))}
  </Card>
);

/** Indents JSON for reading. The signature covers the text as it was sent, without the indentation. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
