import { getStatement } from '@platform-api/sdk';
import { api } from '../api.ts';
import { download } from '../csv.ts';
import { doAtOnce } from '../last-action.ts';
import { type Filter, Filters, valuesOf } from '../parts/filters.tsx';
import { type Column, List } from '../parts/table.tsx';
import { Id, Tag, Time, Titled } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { usePlace } from '../router.ts';
import { count, plural, signed } from '../text.ts';

interface Entry {
  seq: number;
  at: string;
  transactionId: string;
  type: string;
  status: string;
  description: string;
  change: number;
  balanceAfter: number;
}

const COLUMNS: Column<Entry>[] = [
  {
    head: 'What',
    isText: true,
    cell: ({ type, description }) => <Titled title={type} below={description} />,
  },
  {
    head: 'Change',
    isNumber: true,
    cell: ({ change }) => <span class={change < 0 ? 'minus' : 'plus'}>{signed(change)}</span>,
  },
  { head: 'Balance', isNumber: true, cell: ({ balanceAfter }) => count(balanceAfter) },
  {
    head: 'State',
    cell: ({ status }) => (
      <Tag tone={status === 'pending' ? 'warn' : status === 'failed' ? 'bad' : 'none'}>{status}</Tag>
    ),
  },
  { head: 'Transaction', cell: ({ transactionId }) => <Id id={transactionId} /> },
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
];

const FILTERS: Filter[] = [
  { kind: 'date', name: 'startDate', label: 'From' },
  { kind: 'date', name: 'endDate', label: 'To', isEnd: true },
];

/** All movements in a member's wallet within a period, each with the balance after it. */
export function Statement({ id }: { id: string }) {
  const span = valuesOf(FILTERS, usePlace().query);
  const statement = useQuery(JSON.stringify([id, span]), (by, signal) =>
    by.wallet
      .getStatement(id, span, { signal })
      .then((whole) => ({ ...whole, items: whole.entries.toReversed() })),
  );
  const save = async () => {
    const { data } = await api.raw(getStatement, {
      params: { userId: id },
      query: { ...span, format: 'csv' },
    });
    download('statement.csv', String(data));
    return 'Saved statement.csv.';
  };
  const { data } = statement;
  return (
    <>
      <div class="above-rows">
        <Filters of={FILTERS} />
        <button type="button" class="csv" onClick={() => void doAtOnce('No file was saved', save)}>
          Download CSV
        </button>
      </div>
      {data && (
        <p class="dim">
          {count(data.openingBalance)} Keys before, {count(data.closingBalance)} after,{' '}
          {plural(data.entryCount, 'movement')}.
        </p>
      )}
      <div class="card">
        <List
          query={statement}
          what="The statement"
          caption="Movements of Keys, newest first"
          columns={COLUMNS}
          keyOf={({ seq }) => String(seq)}
          empty="No Keys have moved in this time."
          isSmall={false}
        />
      </div>
    </>
  );
}
