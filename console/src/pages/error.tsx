import { Card, Facts } from '../parts/card.tsx';
import { Page } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import { Id, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';

const above = { href: to('/errors'), text: 'Errors' };

export default function ErrorPage({ id }: { id: string }) {
  const read = useQuery(id, (api, signal) => api.errors.get(id, { signal }));
  const { data } = read;
  if (!data)
    return <Pending title="Error" above={above} beside={<Id id={id} />} what="The error" of={read} />;
  const { request, user } = data;
  return (
    <Page title={data.errorCode} above={above} beside={<Id id={id} />}>
      <p class="quote">{data.errorMessage}</p>
      <div class="columns">
        <div>
          <Card title="Request">
            <Facts
              of={[
                ['Operation', data.operation],
                ['Path', <code key="path">{`${request.method} ${request.path}`}</code>],
                ['Request id', <Id key="request" id={request.requestId} />],
                ['Trace id', request.traceId && <Id key="trace" id={request.traceId} />],
              ]}
            />
            <h3>Headers</h3>
            <pre>{JSON.stringify(request.headers, null, 2)}</pre>
            <h3>Body</h3>
            <pre>{JSON.stringify(request.body, null, 2)}</pre>
          </Card>
          {data.stack && (
            <Card title="Stack">
              <pre>{data.stack}</pre>
            </Card>
          )}
        </div>
        <div>
          <Card title="Facts">
            <Facts
              of={[
                [
                  'Status',
                  <Tag key="status" tone={data.severity === 'critical' ? 'bad' : 'none'}>
                    {String(data.statusCode)}
                  </Tag>,
                ],
                ['Reason', data.reason],
                ['When', <Time key="when" at={data.timestamp} />],
                ['Service', data.serviceName],
              ]}
            />
          </Card>
          <Card title="Member">
            {user ? (
              <p>
                <a href={to(`/members/${user.userId}`)}>{user.email}</a>
                <br />
                <a href={to('/errors', { userId: user.userId })}>All errors of this member</a>
              </p>
            ) : (
              <p class="empty">The request named no member.</p>
            )}
          </Card>
        </div>
      </div>
    </Page>
  );
}
