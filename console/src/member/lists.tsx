import type { UserOverview } from '@platform-api/sdk';
import { grantTone } from '../grants.ts';
import { Card } from '../parts/card.tsx';
import { List } from '../parts/table.tsx';
import { Id, Tag, Time } from '../parts/values.tsx';
import { readRows } from '../query.ts';
import { to } from '../router.ts';
import { count, nameOf, platformName, plural, words } from '../text.ts';

export const LastErrors = ({ of: { lastErrors, user } }: { of: UserOverview }) => (
  <Card title="Last errors" more={<a href={to('/errors', { userId: user.id })}>All</a>}>
    <List
      query={readRows(lastErrors.slice(0, 5))}
      what="The errors"
      caption="Last errors of this member"
      keyOf={({ errorId }) => errorId}
      empty="No errors."
      columns={[
        {
          head: 'Error',
          cell: ({ errorId, errorCode, errorMessage }) => (
            <>
              <a href={to(`/errors/${errorId}`)}>{errorCode}</a>
              <small>{errorMessage}</small>
            </>
          ),
        },
        { head: 'Operation', cell: ({ operation }) => operation },
        { head: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
      ]}
    />
  </Card>
);

export const LastSessions = ({ of: { sessions, user } }: { of: UserOverview }) => (
  <Card title="Sessions" more={<a href={to(`/members/${user.id}`, { tab: 'sessions' })}>All</a>}>
    <List
      query={readRows(sessions.slice(0, 5))}
      what="The sessions"
      caption="Where this member is signed in"
      keyOf={({ id }) => id}
      empty="Signed in nowhere."
      columns={[
        { head: 'Where', cell: ({ platform, device }) => `${platformName(platform)}, ${device}` },
        { head: 'Address', cell: ({ address }) => address },
        { head: 'Used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
      ]}
    />
  </Card>
);

export const GrantRows = ({ of: { grants } }: { of: UserOverview }) => (
  <List
    query={readRows(grants)}
    what="The grants"
    caption="Indicators of this member"
    keyOf={({ id }) => id}
    empty="Has no indicator."
    columns={[
      {
        head: 'Indicator',
        isText: true,
        cell: ({ scannerName, scannerId }) => <a href={to('/grants', { scannerId })}>{scannerName}</a>,
      },
      { head: 'Charting name', cell: ({ chartingUsername }) => <code>{chartingUsername}</code> },
      { head: 'State', cell: ({ status }) => <Tag tone={grantTone(status)}>{words(status)}</Tag> },
      { head: 'Last answer', isText: true, cell: ({ lastError }) => lastError },
      { head: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    ]}
  />
);

const REQUEST_TONES = { pending: 'warn', approved: 'ok', denied: 'none' } as const;

export const Grants = ({ of }: { of: UserOverview }) => (
  <>
    <Card title="Indicators" more={<a href={to('/grants', { userId: of.user.id })}>Work on them</a>}>
      <GrantRows of={of} />
    </Card>
    <Card title="Access requests" more={<a href={to('/requests', { search: of.user.email })}>Decide</a>}>
      <List
        query={readRows(of.requests)}
        what="The requests"
        caption="What this member asked for in the marketplace"
        keyOf={({ id }) => id}
        empty="Has asked for nothing."
        columns={[
          { head: 'Product', isText: true, cell: ({ productName }) => <strong>{productName}</strong> },
          { head: 'State', cell: ({ status }) => <Tag tone={REQUEST_TONES[status]}>{status}</Tag> },
          { head: 'Reason', isText: true, cell: ({ reason }) => reason && `“${reason}”` },
          { head: 'Asked', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Card>
  </>
);

type Report = UserOverview['reports']['by'][number];

type Total = UserOverview['reports']['totals']['by'];

/** "3 times", "more than 10,000 times" */
export const timesOf = ({ total, totalIsExact }: Total): string =>
  (totalIsExact ? '' : 'more than ') + plural(total, 'time');

const ReportRows = ({ of, total, empty }: { of: Report[]; total: Total; empty: string }) => (
  <>
    <List
      query={readRows(of)}
      what="The reports"
      caption="Reports"
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          head: 'What',
          isText: true,
          cell: ({ kind, text }) => (
            <>
              <strong>{words(kind)}</strong>
              <small class="excerpt">{text}</small>
            </>
          ),
        },
        {
          head: 'Author',
          isText: true,
          cell: ({ author }) => author && <a href={to(`/members/${author.id}`)}>{nameOf(author)}</a>,
        },
        {
          head: 'Reported by',
          isText: true,
          cell: ({ reporter }) => reporter && <a href={to(`/members/${reporter.id}`)}>{nameOf(reporter)}</a>,
        },
        { head: 'For', isText: true, cell: ({ reason }) => <span class="excerpt">“{reason}”</span> },
        {
          head: 'State',
          cell: ({ status }) => <Tag tone={status === 'open' ? 'warn' : 'none'}>{status}</Tag>,
        },
        { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
    {total.total > of.length && (
      <p class="empty">
        The newest {of.length} of {total.totalIsExact ? '' : 'more than '}
        {count(total.total)} are shown.
      </p>
    )}
  </>
);

export const Reports = ({ of: { reports } }: { of: UserOverview }) => (
  <>
    <Card title="Against this member">
      <ReportRows
        of={reports.against}
        total={reports.totals.against}
        empty="Nobody has reported what this member published."
      />
    </Card>
    <Card title="By this member">
      <ReportRows of={reports.by} total={reports.totals.by} empty="Has reported nothing." />
    </Card>
  </>
);

export const Devices = ({ of: { devices } }: { of: UserOverview }) => (
  <Card title="Devices for pushes">
    {devices.length === 0 && <p class="empty">No device is registered.</p>}
    <ul class="plain-list">
      {devices.map(({ id, platform, name, lastSeenAt }) => (
        <li key={id}>
          {name ?? platform} <Id id={id} />
          <span class="dim">
            <Time at={lastSeenAt} />
          </span>
        </li>
      ))}
    </ul>
  </Card>
);
