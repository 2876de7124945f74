import type { ErrorSummary } from '@platform-api/sdk';
import { Filters } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { type Column, List } from '../parts/table.tsx';
import { Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to, usePlace } from '../router.ts';
import { count } from '../text.ts';

const COLUMNS: Column<ErrorSummary>[] = [
  {
    head: 'Error',
    cell: ({ errorId, errorCode, errorMessage }) => (
      <>
        <a href={to(`/errors/${errorId}`)}>{errorCode}</a>
        <small>{errorMessage}</small>
      </>
    ),
  },
  {
    head: 'Operation',
    cell: ({ operation, request }) => (
      <>
        {operation}
        <small>
          <code>
            {request.method} {request.path.split('?', 1)[0]}
          </code>
        </small>
      </>
    ),
  },
  {
    head: 'Status',
    cell: ({ statusCode, severity }) => (
      <Tag tone={severity === 'critical' ? 'bad' : 'none'}>{String(statusCode)}</Tag>
    ),
  },
  {
    head: 'Member',
    cell: ({ user }) => user && <a href={to(`/members/${user.userId}`)}>{user.email}</a>,
  },
  { head: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
];

const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

export default function Errors() {
  const { query } = usePlace();
  const { severity, code, operation, userId, page } = query;
  const errors = useQuery(
    JSON.stringify([severity, code, operation, userId, page]),
    (api, signal) => {
      const chosen = SEVERITIES.find((one) => one === severity);
      return api.errors.list(
        {
          limit: 25,
          page: Number(page ?? 1),
          ...(chosen ? { severity: chosen } : {}),
          ...(code ? { code } : {}),
          ...(operation ? { operation } : {}),
          ...(userId ? { userId } : {}),
        },
        { signal },
      );
    },
    { pollMs: 15_000 },
  );
  return (
    <Page title="Errors" beside={errors.data && `${count(errors.data.total)} in all`}>
      <Filters
        path="/errors"
        choices={[
          {
            name: 'severity',
            label: 'Severity',
            values: [
              ['critical', 'our failures'],
              ['medium', 'refusals'],
            ],
          },
        ]}
      />
      <div class="card">
        <List
          query={errors}
          what="The errors"
          caption="Errors, newest first"
          columns={COLUMNS}
          keyOf={({ errorId }) => errorId}
          empty="No error matches."
        />
        <Pager path="/errors" shown={errors.data} />
      </div>
    </Page>
  );
}
