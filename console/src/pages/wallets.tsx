import { listWallets, type OwnedWallet } from '@platform-api/sdk';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Keys, Person, Tag, Time } from '../parts/values.tsx';
import { nameOf, usd } from '../text.ts';

const COLUMNS: Column<OwnedWallet>[] = [
  {
    head: 'Member',
    cell: (row) => <Person id={row.userId} name={nameOf(row.owner)} email={row.owner?.email} />,
  },
  { head: 'Keys', isNumber: true, cell: ({ balance }) => <Keys of={balance} /> },
  { head: 'USD', isNumber: true, cell: ({ balanceUSD }) => usd(balanceUSD) },
  {
    head: 'State',
    cell: ({ locked, isActive, lockedReason }) =>
      locked ? (
        <>
          <Tag tone="warn">locked</Tag>
          <small>{lockedReason}</small>
        </>
      ) : (
        <Tag tone="none">{isActive ? 'open' : 'closed'}</Tag>
      ),
  },
  { head: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

const FILTERS: Filter[] = [
  {
    kind: 'choice',
    name: 'locked',
    label: 'Lock',
    values: [
      ['true', 'locked'],
      ['false', 'not locked'],
    ],
  },
  {
    kind: 'choice',
    name: 'isActive',
    label: 'State',
    values: [
      ['true', 'open'],
      ['false', 'closed'],
    ],
  },
];

export default function Wallets() {
  return (
    <Page title="Money">
      <Listing
        operation={listWallets}
        filters={FILTERS}
        what="The wallets"
        caption="Wallets, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No wallets to show."
        file="wallets"
      />
    </Page>
  );
}
