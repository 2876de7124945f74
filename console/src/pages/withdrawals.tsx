import type { OwnedWithdrawal } from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Facts } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Filters } from '../parts/filters.tsx';
import { Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { type Column, List } from '../parts/table.tsx';
import { Id, Person, Tag, Time, type Tone } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { usePlace } from '../router.ts';
import { count } from '../text.ts';

const TONES: Record<OwnedWithdrawal['status'], Tone> = {
  pending: 'warn',
  completed: 'ok',
  failed: 'bad',
  cancelled: 'none',
};
const STATUSES = ['pending', 'completed', 'failed', 'cancelled'] as const;
const isStatus = (text: string | undefined): text is (typeof STATUSES)[number] =>
  STATUSES.some((status) => status === text);

const nameOf = ({ owner }: OwnedWithdrawal): string =>
  owner ? `${owner.firstName} ${owner.lastName}`.trim() : '';

export default function Withdrawals() {
  const { query } = usePlace();
  const { status, page } = query;
  const [settling, setSettling] = useState<OwnedWithdrawal>();
  const [done, setDone] = useState('');
  const withdrawals = useQuery(
    JSON.stringify([status, page]),
    (by, signal) =>
      by.wallet.listWithdrawals(
        { limit: 25, page: Number(page ?? 1), ...(isStatus(status) ? { status } : {}) },
        { signal },
      ),
    { pollMs: 15_000 },
  );
  const columns: Column<OwnedWithdrawal>[] = [
    {
      head: 'Member',
      cell: (row) => <Person id={row.userId} name={nameOf(row)} email={row.owner?.email} />,
    },
    { head: 'Keys', isNumber: true, cell: ({ amount }) => count(amount) },
    { head: 'Status', cell: (row) => <Tag tone={TONES[row.status]}>{row.status}</Tag> },
    { head: 'Asked', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: 'Ended', cell: ({ processedAt }) => <Time at={processedAt} /> },
    { head: 'Transaction', cell: ({ transactionId }) => <Id id={transactionId} /> },
    {
      head: '',
      cell: (row) =>
        row.status === 'pending' && (
          <button type="button" onClick={() => setSettling(row)}>
            Settle
          </button>
        ),
    },
  ];
  return (
    <Page title="Withdrawals" beside={withdrawals.data && `${count(withdrawals.data.total)} in all`}>
      {done && (
        <Note tone="ok" appears>
          {done}
        </Note>
      )}
      <Filters
        path="/withdrawals"
        choices={[{ name: 'status', label: 'Status', values: STATUSES.map((one) => [one, one]) }]}
      />
      <div class="card">
        <List
          query={withdrawals}
          what="The withdrawals"
          caption="Withdrawals"
          columns={columns}
          keyOf={({ id }) => id}
          empty={status ? `No withdrawal is ${status}.` : 'Nobody has withdrawn Keys.'}
        />
        <Pager path="/withdrawals" shown={withdrawals.data} />
      </div>
      {settling && (
        <Settle
          withdrawal={settling}
          onClose={() => setSettling(undefined)}
          onDone={(sentence) => {
            setSettling(undefined);
            setDone(sentence);
            withdrawals.reload();
          }}
        />
      )}
    </Page>
  );
}

function Settle({
  withdrawal,
  ...dialog
}: {
  withdrawal: OwnedWithdrawal;
  onDone: (sentence: string) => void;
  onClose: () => void;
}) {
  const { transactionId, amount } = withdrawal;
  const keys = count(amount);
  return (
    <Confirm
      title={`Settle the withdrawal of ${keys} Keys`}
      act={`Settle ${keys} Keys`}
      isDangerous
      run={async (form) => {
        const { status } = await api.wallet.settleWithdrawal(transactionId, {
          outcome: String(form.get('outcome')) as 'completed' | 'failed',
          reason: String(form.get('reason')),
        });
        return `The withdrawal of ${keys} Keys is ${status}.`;
      }}
      {...dialog}
    >
      <Facts
        of={[
          ['Member', nameOf(withdrawal)],
          ['Asked', <Time key="asked" at={withdrawal.createdAt} />],
        ]}
      />
      <fieldset>
        <legend>What became of the payout</legend>
        <label>
          <input type="radio" name="outcome" value="completed" required /> It was paid: the held Keys are gone
        </label>
        <label>
          <input type="radio" name="outcome" value="failed" /> It failed: the Keys go back to the wallet
        </label>
      </fieldset>
      <label class="field">
        Reason
        <input name="reason" required minLength={8} maxLength={500} />
        <small>Kept in the audit log.</small>
      </label>
      <p>This cannot be undone.</p>
    </Confirm>
  );
}
