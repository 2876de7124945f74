import type { RecordedTransaction } from '@platform-api/sdk';
import { settleAction } from '../money.tsx';
import { type Action, ActionButton, AtOnce, reasonOf } from '../parts/action.tsx';
import { AuditCard } from '../parts/audit-card.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import { List } from '../parts/table.tsx';
import { Id, Tag, Time } from '../parts/values.tsx';
import { readRows, useQuery } from '../query.ts';
import { to } from '../router.ts';
import { count, nameOf, shortId, signed, words } from '../text.ts';
import { STATUS_TONES } from './transactions.tsx';

const above = { href: to('/transactions'), text: 'Transactions' };

const reverse = ({ transactionId, amount, type, from, to: side }: RecordedTransaction): Action => ({
  name: 'Reverse',
  title: `Reverse the ${type} of ${count(amount)} Keys`,
  confirmLabel: `Reverse ${count(amount)} Keys`,
  isDangerous: true,
  facts: [
    ['Gets back', from ? nameOf(from.owner) : 'the platform'],
    ['Gives back', side ? nameOf(side.owner) : 'the platform'],
  ],
  fields: (
    <label class="check">
      <input type="checkbox" name="allowPartial" /> Take what there is if the wallet has fewer
    </label>
  ),
  note: 'A counter-transaction is written; this one stays. It can be done once.',
  openings: ['sent by mistake, ', 'payment was charged back, '],
  run: async (form, api) => {
    const { short, transaction } = await api.wallet.reverseTransaction(transactionId, {
      reason: reasonOf(form),
      allowPartial: form.has('allowPartial'),
    });
    const missing = short ? ` ${count(short)} were missing.` : '';
    return `Reversed by ${transaction.transactionId}: ${count(transaction.amount)} Keys.${missing}`;
  },
});

interface Row {
  key: string;
  name: string;
  userId: string | undefined;
  before: number | undefined;
  change: number;
  after: number | undefined;
}

function sidesOf({ from, to: side, amount, type }: RecordedTransaction): Row[] {
  const row = (key: string, of: RecordedTransaction['from'], change: number): Row => ({
    key,
    name: of ? nameOf(of.owner) : type === 'withdrawal' ? 'Held for withdrawals' : 'The platform',
    userId: of?.userId,
    before: of?.balanceBefore,
    change,
    after: of?.balanceAfter,
  });
  return [row('from', from, -amount), row('to', side, amount)];
}

/** Explains what the transaction's state means and whose turn it is. */
function Diagnosis({ status, type, payout, checkout, from, to: side }: RecordedTransaction) {
  const userId = (from ?? side)?.userId ?? '';
  const trouble = payout?.lastError ?? checkout?.lastError;
  if (payout?.status === 'overpaid')
    return (
      <Note tone="bad">
        <strong>It was paid after it had ended.</strong> The money is out, and the Keys are back in the
        wallet: an <a href={to('/alerts', { target: userId, status: 'all' })}>alert</a> says what became of
        it.
      </Note>
    );
  if (status === 'pending' && type === 'withdrawal')
    return (
      <Note tone={trouble ? 'bad' : 'warn'}>
        <strong>The provider has not paid yet.</strong>{' '}
        {trouble ? `It answered “${trouble}”. ` : 'The provider decides. '}The Keys are held, not gone.
      </Note>
    );
  if (status === 'failed')
    return (
      <Note tone="bad">
        <strong>It failed.</strong> {trouble && `“${trouble}”`}
      </Note>
    );
  return null;
}

const Paid = ({ of, title }: { of: NonNullable<RecordedTransaction['payout']>; title: string }) => (
  <Card title={title}>
    <Facts
      of={[
        ['State', words(of.status)],
        ['At the provider', of.providerId && <Id key="provider" id={of.providerId} />],
        ['Last error', of.lastError],
        ['Id', <Id key="id" id={of.id} />],
      ]}
    />
  </Card>
);

interface Reversal {
  transactionId: string;
  amount: number;
}

/** The reversal of a transaction; null if there is none, undefined until that is known. */
function useReversal(target: string): Reversal | null | undefined {
  const { data } = useQuery(`reversal of ${target}`, async (by, signal) => {
    const found = await by.audit.list({ target, action: 'transaction.reversed', limit: 1 }, { signal });
    return (found.items[0]?.details as Reversal | undefined) ?? null;
  });
  return data;
}

const Actions = ({ of, isReversible }: { of: RecordedTransaction; isReversible: boolean }) => {
  const { status, type, transactionId } = of;
  const isOpen = status === 'pending' && type === 'withdrawal';
  return (
    <>
      {isOpen && (
        <AtOnce
          name="Retry payout"
          failed="The provider was not asked"
          run={async (api) =>
            `Asked the provider: ${(await api.wallet.retryWithdrawal(transactionId)).status}.`
          }
        />
      )}
      {isOpen && (
        <ActionButton action={settleAction({ ...of, owner: of.from?.owner ?? null })} class="primary" />
      )}
      {isReversible && status === 'completed' && type !== 'withdrawal' && (
        <ActionButton action={reverse(of)} class="danger-text" />
      )}
    </>
  );
};

export default function TransactionPage({ id }: { id: string }) {
  const read = useQuery(id, (by, signal) => by.wallet.getTransaction(id, { signal }), { pollMs: 15_000 });
  const { data } = read;
  const reversal = useReversal(id);
  if (!data)
    return (
      <Pending title="Transaction" above={above} beside={<Id id={id} />} what="The transaction" of={read} />
    );
  return (
    <Page
      title={`${data.type[0]?.toUpperCase()}${data.type.slice(1)} of ${count(data.amount)} Keys`}
      above={above}
      beside={
        <>
          <Tag tone={STATUS_TONES[data.status]}>{data.status}</Tag>{' '}
          {reversal && <Tag tone="warn">reversed</Tag>} <Id id={data.transactionId} />
        </>
      }
      actions={<Actions of={data} isReversible={reversal === null} />}
    >
      <Diagnosis {...data} />
      {reversal && (
        <Note tone="warn">
          <strong>It was reversed</strong> by{' '}
          <a href={to(`/transactions/${reversal.transactionId}`)}>
            a transaction of {count(reversal.amount)} Keys
          </a>
          .
        </Note>
      )}
      <div class="columns">
        <div>
          <Sides of={data} />
          <AuditCard
            title="Audit"
            transactionId={data.transactionId}
            limit={10}
            empty="No administrator has touched this transaction."
          />
        </div>
        <div>
          {data.payout && <Paid of={data.payout} title="Payout" />}
          {data.checkout && <Paid of={data.checkout} title="Checkout" />}
          <Record of={data} />
        </div>
      </div>
    </Page>
  );
}

const Sides = ({ of }: { of: RecordedTransaction }) => (
  <Card title="Both sides" more={<Tag tone="ok">sum is 0</Tag>}>
    <List
      query={readRows(sidesOf(of))}
      what="The sides"
      caption="Who lost and who got the Keys"
      keyOf={({ key }) => key}
      empty="No side."
      columns={[
        {
          head: 'Account',
          isText: true,
          cell: ({ name, userId }) =>
            userId ? <a href={to(`/members/${userId}`)}>{name}</a> : <strong>{name}</strong>,
        },
        { head: 'Before', isNumber: true, cell: ({ before }) => before !== undefined && count(before) },
        {
          head: 'Change',
          isNumber: true,
          cell: ({ change }) => <span class={change < 0 ? 'minus' : 'plus'}>{signed(change)}</span>,
        },
        { head: 'After', isNumber: true, cell: ({ after }) => after !== undefined && count(after) },
      ]}
    />
  </Card>
);

const Record = ({ of }: { of: RecordedTransaction }) => (
  <Card title="Record">
    <Facts
      of={[
        ['Kind', of.type],
        ['Status', of.status],
        ['Note', of.description && `“${of.description}”`],
        ['Begun', <Time key="begun" at={of.createdAt} />],
        ['Ended', of.processedAt && <Time key="ended" at={of.processedAt} />],
        ...Object.entries(of.metadata).map(([name, value]): [string, string] => [
          words(name),
          shortId(typeof value === 'string' ? value : JSON.stringify(value)),
        ]),
      ]}
    />
  </Card>
);
