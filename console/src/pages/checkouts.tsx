import { type Checkout, listCheckouts } from '@platform-api/sdk';
import { AtOnce } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Keys, Person, Tag, Time, type Tone } from '../parts/values.tsx';
import { to } from '../router.ts';
import { nameOf, usd } from '../text.ts';

export const CHECKOUT_TONES: Record<Checkout['status'], Tone> = {
  open: 'warn',
  paid: 'ok',
  expired: 'none',
  failed: 'bad',
};

/** Asks the payment provider for the state of a checkout. */
export const ReconcileButton = ({ of, name }: { of: Checkout; name: string }) => (
  <AtOnce
    name={name}
    failed="The provider was not asked"
    run={async (api) => {
      const { status } = await api.wallet.reconcileCheckout(of.id);
      return `The checkout of ${usd(of.usd)} of ${nameOf(of.owner)} is ${status}.`;
    }}
  />
);

const COLUMNS: Column<Checkout>[] = [
  {
    head: 'Member',
    cell: ({ userId, owner }) => <Person id={userId} name={nameOf(owner)} email={owner?.email} />,
  },
  { head: 'Keys', isNumber: true, cell: ({ keys }) => <Keys of={keys} /> },
  { head: 'USD', isNumber: true, cell: ({ usd: amount }) => usd(amount) },
  { head: 'State', cell: ({ status }) => <Tag tone={CHECKOUT_TONES[status]}>{status}</Tag> },
  { head: 'At the provider', cell: ({ providerStatus }) => providerStatus ?? 'unknown' },
  {
    head: 'Last answer',
    isText: true,
    cell: ({ lastError }) => lastError && <span class="bad-text">{lastError}</span>,
  },
  { head: 'Begun', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: '',
    cell: (row) => (
      <>
        <a class="button" href={to(`/checkouts/${row.id}`)}>
          Open
        </a>
        {row.status === 'open' && <ReconcileButton of={row} name="Ask provider" />}
      </>
    ),
  },
];

const FILTERS: Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    values: ['open', 'paid', 'expired', 'failed'].map((one) => [one, one]),
  },
  { kind: 'date', name: 'from', label: 'From' },
  { kind: 'date', name: 'to', label: 'To', isEnd: true },
  { kind: 'link', name: 'userId', label: 'Member' },
];

export default function Checkouts() {
  return (
    <Page title="Money">
      <Listing
        operation={listCheckouts}
        filters={FILTERS}
        pollMs={30_000}
        what="The checkouts"
        caption="Checkouts, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No checkouts to show."
        file="checkouts"
      />
    </Page>
  );
}
