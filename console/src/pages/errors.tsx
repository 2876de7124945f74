import { type ErrorSummary, listErrors } from '@platform-api/sdk';
import { ErringMember } from '../parts/erring-member.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Tag, Time } from '../parts/values.tsx';
import { to, usePlace } from '../router.ts';

const COLUMNS: Column<ErrorSummary>[] = [
  {
    head: 'Error',
    isText: true,
    cell: ({ errorId, errorCode, errorMessage }) => (
      <>
        <a href={to(`/errors/${errorId}`)}>{errorCode}</a>
        <small>{errorMessage}</small>
      </>
    ),
  },
  {
    head: 'Operation',
    isText: true,
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
    isText: true,
    cell: ({ user }) => user && <ErringMember of={user} />,
  },
  { head: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
];

const FILTERS: Filter[] = [
  { kind: 'search', name: 'search', label: 'E-mail, request or trace id' },
  {
    kind: 'choice',
    name: 'severity',
    label: 'Severity',
    values: [
      ['critical', 'our failures'],
      ['high', 'assigned as high'],
      ['medium', 'refusals'],
    ],
  },
  { kind: 'date', name: 'from', label: 'From' },
  { kind: 'date', name: 'to', label: 'To', isEnd: true },
  { kind: 'link', name: 'code', label: 'Code' },
  { kind: 'link', name: 'operation', label: 'Operation' },
  { kind: 'link', name: 'status', label: 'Status' },
  { kind: 'link', name: 'userId', label: 'Member' },
];

/** Tells by its form whether the search field holds an e-mail address, a trace id or a request id. */
function queryOf({ search, ...rest }: Record<string, string>): Record<string, string> {
  if (!search) return rest;
  const name = search.includes('@') ? 'email' : /^[0-9a-f]{32}$/.test(search) ? 'traceId' : 'requestId';
  return { ...rest, [name]: search };
}

const IS_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export default function Errors() {
  const { search = '' } = usePlace().query;
  return (
    <Page title="Errors" beside="Every refused and failed request, newest first">
      {IS_UUID.test(search) && (
        <p>
          <a href={to(`/errors/${search.toLowerCase()}`)}>Open the error with this id</a>
        </p>
      )}
      <Listing
        operation={listErrors}
        filters={FILTERS}
        toQuery={queryOf}
        pollMs={15_000}
        what="The errors"
        caption="Errors, newest first"
        columns={COLUMNS}
        keyOf={({ errorId }) => errorId}
        empty="No error matches."
        file="errors"
      />
    </Page>
  );
}
