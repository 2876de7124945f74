import { listAllTransactions, type RecordedTransaction } from '@platform-api/sdk';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Id, Keys, Tag, Time, type Tone } from '../parts/values.tsx';
import { to } from '../router.ts';
import { nameOf } from '../text.ts';

export const STATUS_TONES: Record<RecordedTransaction['status'], Tone> = {
  pending: 'warn',
  completed: 'none',
  failed: 'bad',
  cancelled: 'none',
};

/** The sender or recipient of a transaction: a member, or the platform itself. */
const Side = ({ of, otherwise }: { of: RecordedTransaction['from']; otherwise: string }) =>
  of ? <a href={to(`/members/${of.userId}`)}>{nameOf(of.owner)}</a> : <span class="dim">{otherwise}</span>;

const COLUMNS: Column<RecordedTransaction>[] = [
  {
    head: 'What',
    isText: true,
    cell: ({ transactionId, type, description }) => (
      <>
        <a href={to(`/transactions/${transactionId}`)}>{type}</a>
        <small class="long">{description}</small>
      </>
    ),
  },
  { head: 'Keys', isNumber: true, cell: ({ amount }) => <Keys of={amount} /> },
  { head: 'From', isText: true, cell: ({ from }) => <Side of={from} otherwise="the platform" /> },
  { head: 'To', isText: true, cell: ({ to: side }) => <Side of={side} otherwise="the platform" /> },
  { head: 'State', cell: ({ status }) => <Tag tone={STATUS_TONES[status]}>{status}</Tag> },
  { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: 'Id', cell: ({ transactionId }) => <Id id={transactionId} /> },
];

const choices = (...values: string[]): [string, string][] => values.map((one) => [one, one]);

const FILTERS: Filter[] = [
  {
    kind: 'choice',
    name: 'type',
    label: 'Kind',
    values: choices('fund', 'transfer', 'withdrawal', 'refund'),
  },
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    values: choices('pending', 'completed', 'failed', 'cancelled'),
  },
  {
    kind: 'choice',
    name: 'minAmount',
    label: 'At least',
    values: [
      ['100', '100 Keys'],
      ['1000', '1,000 Keys'],
      ['10000', '10,000 Keys'],
    ],
  },
  { kind: 'date', name: 'from', label: 'From' },
  { kind: 'date', name: 'to', label: 'To', isEnd: true },
  { kind: 'link', name: 'userId', label: 'Member' },
  { kind: 'link', name: 'checkoutSessionId', label: 'Checkout' },
];

export default function Transactions() {
  return (
    <Page title="Money">
      <Listing
        operation={listAllTransactions}
        filters={FILTERS}
        what="The transactions"
        caption="Transactions, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No transactions to show."
        file="transactions"
      />
    </Page>
  );
}
