import type { ErrorReport } from '@platform-api/sdk';
import { type Action, ActionButton, Field, reasonOf, textOf } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { ErringMember } from '../parts/erring-member.tsx';
import { Page } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import { Id, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';

const above = { href: to('/errors'), text: 'Errors' };

const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

const assign = ({ errorId, severity: now }: ErrorReport): Action => ({
  name: 'Assign severity',
  title: 'Assign the severity of this error',
  confirmLabel: 'Assign',
  facts: [['Now', now]],
  fields: (
    <Field label="Severity" hint="The list of errors finds it by this.">
      <select name="severity">
        {SEVERITIES.map((one) => (
          <option key={one} value={one} selected={one === (now === 'high' ? 'medium' : 'high')}>
            {one}
          </option>
        ))}
      </select>
    </Field>
  ),
  openings: ['many members are affected', 'it has been dealt with'],
  run: async (form, api) => {
    const severity = SEVERITIES.find((one) => one === textOf(form, 'severity')) ?? now;
    await api.errors.update(errorId, { severity, reason: reasonOf(form) });
    return `The severity of ${errorId} is ${severity}.`;
  },
});

const toneOf = (severity: ErrorReport['severity']) =>
  (({ critical: 'bad', high: 'warn', medium: 'none', low: 'none' }) as const)[severity];

export default function ErrorPage({ id }: { id: string }) {
  const read = useQuery(id, (api, signal) => api.errors.get(id, { signal }));
  const { data } = read;
  if (!data)
    return <Pending title="Error" above={above} beside={<Id id={id} />} what="The error" of={read} />;
  const { request, user } = data;
  return (
    <Page
      title={data.errorCode}
      above={above}
      beside={<Id id={id} />}
      actions={<ActionButton action={assign(data)} />}
    >
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
                  <Tag key="status" tone={toneOf(data.severity)}>
                    {String(data.statusCode)}
                  </Tag>,
                ],
                ['Severity', data.severity],
                ['Reason', data.reason],
                ['When', <Time key="when" at={data.timestamp} />],
                ['Service', data.serviceName],
              ]}
            />
          </Card>
          <Card title="Member">
            {user ? (
              <p>
                <ErringMember of={user} />
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
