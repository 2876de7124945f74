import { listWithdrawals, type OwnedWithdrawal } from '@platform-api/sdk';
import { now } from '../api.ts';
import { settleAction } from '../money.tsx';
import { ActionButton, AtOnce } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Age, Figures, Id, Keys, Person, Tag, Time, type Tone } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { age, count, nameOf, usd } from '../text.ts';

const TONES: Record<OwnedWithdrawal['status'], Tone> = {
  pending: 'warn',
  completed: 'none',
  failed: 'bad',
  cancelled: 'none',
};

const DAY_MS = 86_400_000;
const STUCK_MS = DAY_MS;
const isStuck = ({ status, createdAt }: OwnedWithdrawal): boolean =>
  status === 'pending' && now() - Date.parse(createdAt) > STUCK_MS;

const COLUMNS: Column<OwnedWithdrawal>[] = [
  {
    head: 'Member',
    cell: (row) => <Person id={row.userId} name={nameOf(row.owner)} email={row.owner?.email} />,
  },
  {
    head: 'Keys',
    isNumber: true,
    cell: ({ amount, transactionId }) => (
      <a href={to(`/transactions/${transactionId}`)}>
        <Keys of={amount} />
      </a>
    ),
  },
  {
    head: 'State',
    cell: (row) => (
      <Tag tone={isStuck(row) ? 'bad' : TONES[row.status]}>{isStuck(row) ? 'stuck' : row.status}</Tag>
    ),
  },
  { head: 'Payout', cell: ({ providerId }) => providerId && <Id id={providerId} /> },
  { head: 'Tries', isNumber: true, cell: ({ attempts }) => attempts > 0 && count(attempts) },
  {
    head: 'Last answer',
    isText: true,
    cell: ({ lastError }) => lastError && <span class="bad-text">{lastError}</span>,
  },
  {
    head: 'Age',
    cell: ({ createdAt, status, processedAt }) =>
      status === 'pending' ? <Age at={createdAt} /> : <Time at={processedAt ?? createdAt} />,
  },
  {
    head: '',
    cell: (row) =>
      row.status === 'pending' && (
        <>
          <AtOnce
            name="Retry"
            failed="The provider was not asked"
            run={async (api) => {
              const { status } = await api.wallet.retryWithdrawal(row.transactionId);
              return `Asked the provider about ${count(row.amount)} Keys of ${nameOf(row.owner)}: ${status}.`;
            }}
          />
          <ActionButton action={settleAction(row)} />
        </>
      ),
  },
];

const FILTERS: Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    values: ['pending', 'completed', 'failed', 'cancelled'].map((one) => [one, one]),
  },
  {
    kind: 'choice',
    name: 'age',
    label: 'Older than',
    none: 'any age',
    values: [
      ['1', 'a day'],
      ['7', 'a week'],
      ['30', '30 days'],
    ],
  },
  { kind: 'link', name: 'userId', label: 'Member' },
];

/** Turns an age in days into `olderThan`, rounded to the minute, so that the query changes once a minute at most. */
function queryOf({ age: days, ...rest }: Record<string, string>): Record<string, string> {
  if (!days) return rest;
  const minute = Math.floor((now() - Number(days) * DAY_MS) / 60_000) * 60_000;
  return { ...rest, olderThan: new Date(minute).toISOString() };
}

interface Sums {
  count: number;
  keys: number;
  usd: number;
  oldestAt: string | null;
}

/** The sums of open, stuck and paid withdrawals, each linked to its rows. */
function Open() {
  const { data } = useQuery(
    'sums',
    async (by, signal) => {
      const sum = async (query: object): Promise<Sums | undefined> => {
        const answer = await by.raw(
          listWithdrawals,
          { query: { limit: 1, summary: true, ...query } },
          { signal },
        );
        return (answer.meta as { summary?: Sums }).summary;
      };
      const olderThan = new Date(now() - STUCK_MS).toISOString();
      return Promise.all([
        sum({ status: 'pending' }),
        sum({ status: 'pending', olderThan }),
        sum({ status: 'completed' }),
        sum({ status: 'failed' }),
      ]);
    },
    { pollMs: 60_000 },
  );
  if (!data) return null;
  const [open, stuck, paid, failed] = data;
  const below = (sums: Sums | undefined) => sums && `${count(sums.keys)} Keys · ${usd(sums.usd)}`;
  return (
    <Figures
      of={[
        {
          label: 'Open',
          value: count(open?.count ?? 0),
          below: below(open),
          href: to('/withdrawals', { status: 'pending' }),
        },
        {
          label: 'Stuck over 24 h',
          value: count(stuck?.count ?? 0),
          below: stuck?.oldestAt ? `${below(stuck)} · ${age(stuck.oldestAt)}` : below(stuck),
          tone: stuck?.count ? 'bad' : undefined,
          href: to('/withdrawals', { status: 'pending', age: '1' }),
        },
        {
          label: 'Paid',
          value: count(paid?.count ?? 0),
          below: below(paid),
          href: to('/withdrawals', { status: 'completed' }),
        },
        {
          label: 'Failed',
          value: count(failed?.count ?? 0),
          below: below(failed),
          href: to('/withdrawals', { status: 'failed' }),
        },
      ]}
    />
  );
}

export default function Withdrawals() {
  return (
    <Page title="Money">
      <Open />
      <Listing
        operation={listWithdrawals}
        filters={FILTERS}
        toQuery={queryOf}
        pollMs={15_000}
        what="The withdrawals"
        caption="Withdrawals, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No withdrawals to show."
        file="withdrawals"
      />
    </Page>
  );
}
