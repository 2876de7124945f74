import type { ErrorGroup } from '@platform-api/sdk';
import { useMemo } from 'preact/hooks';
import { now } from '../api.ts';
import { Spark } from '../parts/chart.tsx';
import { ErrorChart, isOurs } from '../parts/error-chart.tsx';
import { type Filter, Filters } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { type Column, List } from '../parts/table.tsx';
import { Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to, usePlace } from '../router.ts';
import { count } from '../text.ts';

const HOUR_MS = 3_600_000;
const SPANS: Record<string, { text: string; hours: number; buckets: number }> = {
  '6h': { text: 'last 6 hours', hours: 6, buckets: 72 },
  '24h': { text: 'last 24 hours', hours: 24, buckets: 48 },
  '7d': { text: 'last 7 days', hours: 168, buckets: 56 },
  '30d': { text: 'last 30 days', hours: 720, buckets: 60 },
};

const FILTERS: Filter[] = [
  {
    kind: 'choice',
    name: 'span',
    label: 'From',
    none: 'last 24 hours',
    values: Object.entries(SPANS)
      .filter(([name]) => name !== '24h')
      .map(([name, { text }]) => [name, text]),
  },
  {
    kind: 'choice',
    name: 'by',
    label: 'Group by',
    none: 'code and operation',
    values: [
      ['code', 'code'],
      ['operation', 'operation'],
    ],
  },
];

const COLUMNS: Column<ErrorGroup>[] = [
  {
    head: 'Code and operation',
    cell: ({ code, operation, status }) => (
      <>
        <a
          href={to('/errors', {
            code: code ?? '',
            operation: operation ?? '',
            status: status ? String(status) : '',
          })}
        >
          {code ?? operation ?? 'unknown'}
        </a>
        {code && <small>{operation}</small>}
      </>
    ),
  },
  {
    head: 'Status',
    by: ({ status }) => status ?? 0,
    cell: (row) => row.status && <Tag tone={isOurs(row) ? 'bad' : 'none'}>{String(row.status)}</Tag>,
  },
  {
    head: 'Count',
    isNumber: true,
    by: (row) => row.count,
    cell: (row) => <strong>{count(row.count)}</strong>,
  },
  {
    head: 'Members',
    isNumber: true,
    by: ({ members }) => members,
    cell: ({ members }) => members > 0 && count(members),
  },
  { head: 'Trend', cell: (row) => <Spark values={row.series} {...(isOurs(row) ? { tone: 'red' } : {})} /> },
  { head: 'First', cell: ({ firstAt }) => <Time at={firstAt} /> },
  { head: 'Last', by: ({ lastAt }) => lastAt, cell: ({ lastAt }) => <Time at={lastAt} /> },
  {
    head: 'Example',
    cell: ({ exampleErrorId }) => <a href={to(`/errors/${exampleErrorId}`)}>Open</a>,
  },
];

export default function ErrorGroups() {
  const { span = '24h', by } = usePlace().query;
  const { hours, buckets } = SPANS[span] ?? { hours: 24, buckets: 48 };
  const end = useMemo(() => now(), [span]);
  const groups = useQuery(
    JSON.stringify([span, by]),
    async (api, signal) => {
      const at = now();
      const query = { from: new Date(at - hours * HOUR_MS).toISOString(), buckets };
      const isSimple = by === 'code' || by === 'operation';
      const items = await api.errors.summarize(isSimple ? { ...query, by } : query, { signal });
      return { items, at };
    },
    { pollMs: 60_000 },
  );
  const at = groups.data?.at ?? end;
  const items = groups.data?.items ?? [];
  const total = items.reduce((all, group) => all + group.count, 0);
  return (
    <Page
      title="Errors"
      beside={groups.data && `${count(total)} in the ${SPANS[span]?.text ?? 'last 24 hours'}`}
    >
      <Filters of={FILTERS} />
      {items.length > 0 && (
        <div class="card">
          <ErrorChart groups={items} from={at - hours * HOUR_MS} to={at} />
        </div>
      )}
      <div class="card">
        <List
          query={groups}
          what="The errors"
          caption="Errors by what they have in common, the most frequent first"
          columns={COLUMNS}
          keyOf={({ code, operation, status }) => `${code} ${operation} ${status}`}
          empty={`No error in the ${SPANS[span]?.text ?? 'last 24 hours'}.`}
          isSmall={false}
        />
      </div>
    </Page>
  );
}
