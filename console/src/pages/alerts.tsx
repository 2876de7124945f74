import { type Alert, listAlerts } from '@platform-api/sdk';
import { type Action, ActionButton, Field, reasonOf, textOf } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Failed } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Age, Id, Person, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { count, nameOf, usd, words } from '../text.ts';

const OF_DELETED = ['payment.keys-of-deleted-member', 'payment.paid-by-deleted-member'];

/** What happened, and what an operator does about it. */
const MEANINGS: Record<string, [title: string, advice: string]> = {
  'payment.payout-paid-after-end': [
    'A withdrawal was paid after it had failed',
    'The money is out, and the Keys are back in the wallet. Take the Keys back by Debit, or have the provider get the money back.',
  ],
  'payment.overpaid-returned': [
    'A payment that was too much has come back',
    'It had been paid after the withdrawal had failed. If you took the Keys for it, fund the wallet with as many.',
  ],
  'payment.mispaid-returned': [
    'A withdrawal that was paid with another amount has come back',
    'It was settled as completed, so that the Keys are gone, and the member has no money for them now. Pay the member in another way, or fund the wallet.',
  ],
  'payment.unknown-payout': [
    'A payout that is not known here was paid',
    'It was probably made after the backup that was restored: the member has the Keys again, and the money. Compare it at the provider, and take the Keys. The alert closes if the bank sends the money back.',
  ],
  'payment.unknown-payout-returned': [
    'A payout that is not known here has come back',
    'Its payment had been dealt with. If you took the Keys for it, fund the wallet with as many.',
  ],
  'payment.payout-paid-twice': [
    'A withdrawal was paid twice',
    'The provider has two paid payouts of it. Have one of them returned there.',
  ],
  'payment.payout-returned': [
    'The bank returned a payout',
    'The Keys are back in the wallet. The member may withdraw again once the bank details are right; about one who is deleted there is another alert.',
  ],
  'payment.keys-of-deleted-member': [
    'A deleted member has Keys',
    'Their payout failed, or a dispute was won. Pay them out again; or settle it in another way, and take the Keys.',
  ],
  'payment.paid-by-deleted-member': [
    'A deleted member has paid for Keys',
    'Refund the payment at the provider: the Keys are then taken back by themselves.',
  ],
  'payment.keys-short': [
    'Keys of a refunded payment are missing',
    'The member had spent them before the payment was refunded or disputed. They are not taken later by themselves: decide whether to debit them.',
  ],
  'payment.refund-failed': [
    'A refund did not reach the payer',
    'The Keys were taken for it. Refund the payment again at the provider; or fund the wallet, if the money stays here.',
  ],
  'payment.keys-no-longer-short': [
    'Missing Keys are no longer owed',
    'The dispute was won after somebody had closed the alert about them. If they were debited, fund the wallet with as many.',
  ],
  'payment.dispute-inquiry': [
    'A bank asks about a payment',
    'Answer at the provider, before a dispute comes of it. The alert closes once the dispute is decided.',
  ],
  'payment.dispute-opened': [
    'A payment is disputed',
    'The Keys were taken back. Answer at the provider. The alert closes once the dispute is decided.',
  ],
  'payment.dispute-of-another-payment': [
    'A dispute is about two payments',
    'It is known for another payment, so no Keys were taken for this one. Find out at the provider which one it is about, and debit them if it is this.',
  ],
  'payment.unknown-checkout': [
    'Somebody paid for an unknown checkout',
    'Find out at the provider who paid: fund the wallet by hand, or refund the payment.',
  ],
  'payment.unknown-reversal': [
    'An unknown payment was refunded or disputed',
    'Find out at the provider what it was for. The alert closes if its dispute is won.',
  ],
  'payment.unknown-reversal-won': [
    'The dispute about an unknown payment was won',
    'It had been dealt with. If you took Keys for it, fund the wallet with as many.',
  ],
  'payment.payout-amount-mismatch': [
    'A withdrawal was paid with another amount',
    'The Keys stay held until you settle the withdrawal: as completed if the member got what they are owed, as failed to give the Keys back. It opens again until then.',
  ],
  'payment.checkout-stuck': [
    'A checkout cannot be settled',
    'The platform goes on trying, and the alert closes by itself. Somebody may have paid without getting their Keys: look at the error.',
  ],
  'payment.payout-stuck': [
    'A payout cannot be followed',
    'The platform goes on trying, and the alert closes by itself. Compare the withdrawal at the provider, and settle it by hand if it is lost there.',
  ],
  'payment.amount-mismatch': [
    'A checkout was paid with another amount',
    'No Keys were credited. Refund the payment at the provider, or fund the wallet by hand.',
  ],
  'indicators.unexpected-holders': [
    'Members hold indicators although their access was revoked',
    'Compare the grants under Charting to see who. Take over the grants of those who are to lose the access; then it is removed.',
  ],
  'indicators.stranger-holders': [
    'Unknown names hold indicators',
    'Compare the grants under Charting to see who. They may be members who took another name: remove at the charting platform who should not be there.',
  ],
  'ledger.not-sound': [
    'The ledger is not sound',
    'Entries and balances do not agree. Start the platform without PAYMENT_PROVIDER, so that payouts wait, and follow the runbook.',
  ],
};

/** The numbers of an alert that an operator needs at first sight. */
function figuresOf({ details }: Alert): string {
  const { keys, cents, short, reason, paidCents, expectedCents, error } = details as Record<string, unknown>;
  return [
    typeof keys === 'number' && `${count(keys)} Keys`,
    typeof short === 'number' && `${count(short)} Keys missing`,
    typeof cents === 'number' && usd(cents / 100),
    typeof paidCents === 'number' &&
      typeof expectedCents === 'number' &&
      `${usd(paidCents / 100)} instead of ${usd(expectedCents / 100)}`,
    typeof reason === 'string' && reason !== '' && `“${reason}”`,
    typeof error === 'string' && `“${error}”`,
  ]
    .filter(Boolean)
    .join(' · ');
}

const close = ({ id, action }: Alert): Action => ({
  name: 'Close',
  title: `Close “${MEANINGS[action]?.[0] ?? words(action)}”`,
  confirmLabel: 'Close alert',
  note: 'It leaves the list of work, and stays among the closed ones.',
  openings: ['refunded at the provider, ', 'nothing to be done, '],
  run: async (form, api) => {
    await api.administration.closeAlert(id, { reason: reasonOf(form) });
    return 'The alert is closed.';
  },
});

const amountOf = (form: FormData): number => Number(textOf(form, 'amount'));

/** The amount, beside what the wallet has now: some of the Keys may have been dealt with since the alert. */
function Amount({ userId }: { userId: string }) {
  const { data, error } = useQuery(`wallet ${userId}`, (by, signal) => by.wallet.get(userId, { signal }));
  if (error !== undefined) return <Failed what="The wallet could not be read" error={error} />;
  return (
    <Field label="Keys" hint={data ? `The wallet has ${count(data.balance)}` : 'The wallet is being read'}>
      <input
        key={data?.balance}
        name="amount"
        type="number"
        min={1}
        max={data?.balance}
        step={1}
        defaultValue={data?.balance}
        required
      />
    </Field>
  );
}

const payOut = (alert: Alert): Action => ({
  name: 'Pay out',
  title: 'Pay out the Keys of a deleted member',
  fields: <Amount userId={alert.target} />,
  note: 'They are paid out at the rate of now, as by a withdrawal of the member.',
  openings: ['the bank details are right now, ', 'the provider works again, '],
  run: async (form, api) => {
    const { amount, transactionId } = await api.wallet.payOutRemaining({
      userId: alert.target,
      amount: amountOf(form),
      reason: reasonOf(form),
    });
    return `The payout of ${count(amount)} Keys is requested (${transactionId}).`;
  },
});

const take = (alert: Alert): Action => ({
  name: 'Take',
  confirmLabel: 'Take Keys',
  title: 'Take the Keys of a deleted member',
  isDangerous: true,
  fields: <Amount userId={alert.target} />,
  note: 'For Keys whose worth the member got in another way, or gave up. They leave circulation.',
  openings: ['paid by bank transfer on ', 'given up by the member, '],
  run: async (form, api) => {
    const { transaction, wallet } = await api.wallet.debit({
      userId: alert.target,
      amount: amountOf(form),
      reason: reasonOf(form),
    });
    return `Took ${count(transaction.amount)} Keys; ${count(wallet.balance)} are left.`;
  },
});

const isAboutMember = ({ member, action }: Alert) => member !== null || OF_DELETED.includes(action);

const COLUMNS: Column<Alert>[] = [
  {
    head: 'What happened',
    isText: true,
    cell: ({ action }) => {
      const [title, advice] = MEANINGS[action] ?? [words(action), null];
      return (
        <>
          <strong>{title}</strong>
          <small>{advice}</small>
        </>
      );
    },
  },
  {
    head: 'About',
    isText: true,
    cell: (alert) => {
      const { member, target } = alert;
      return (
        <>
          {member ? <Person id={target} name={nameOf(member)} email={member.email} /> : <Id id={target} />}
          <small>
            {figuresOf(alert)} {isAboutMember(alert) && <a href={hrefOf(alert)}>Look</a>}
          </small>
        </>
      );
    },
  },
  {
    head: 'Waits',
    cell: ({ closedAt, raisedAt }) =>
      closedAt ? (
        <>
          closed <Time at={closedAt} />
        </>
      ) : (
        <Age at={raisedAt} />
      ),
  },
  {
    head: '',
    cell: (alert) =>
      !alert.closedAt && (
        <>
          {OF_DELETED.includes(alert.action) && <ActionButton action={payOut(alert)} />}
          {OF_DELETED.includes(alert.action) && <ActionButton action={take(alert)} />}
          <ActionButton action={close(alert)} />
        </>
      ),
  },
];

/** The member's records that an alert is about. */
const hrefOf = ({ action, target }: Alert): string =>
  action.startsWith('payment.payout') || action === 'payment.keys-of-deleted-member'
    ? to('/withdrawals', { userId: target })
    : to('/checkouts', { userId: target });

const FILTERS: Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    none: 'open',
    values: [
      ['closed', 'closed'],
      ['all', 'all'],
    ],
  },
  { kind: 'link', name: 'target', label: 'Concerns' },
];

/** Open alerts are shown, unless others are chosen. */
const queryOf = ({ status = 'open', ...rest }: Record<string, string>): Record<string, string> =>
  status === 'all' ? rest : { status, ...rest };

export default function Alerts() {
  return (
    <Page title="Money">
      <Listing
        operation={listAlerts}
        filters={FILTERS}
        toQuery={queryOf}
        pollMs={15_000}
        what="The alerts"
        caption="What a person must deal with, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="Nothing to deal with."
        file="alerts"
      />
    </Page>
  );
}
