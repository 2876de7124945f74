import { listTrades, type Trade } from '@platform-api/sdk';
import { removeTrade } from '../community/actions.tsx';
import { StatusTag } from '../community/trade-status.tsx';
import { ActionButton } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Person, Time } from '../parts/values.tsx';
import { to } from '../router.ts';
import { nameOf } from '../text.ts';

const COLUMNS: Column<Trade>[] = [
  {
    head: 'Trade idea',
    isText: true,
    cell: ({ id, symbol, direction, note }) => (
      <>
        <a href={to(`/trades/${id}`)}>
          {symbol} {direction}
        </a>
        <small class="long">{note}</small>
      </>
    ),
  },
  { head: 'Author', isText: true, cell: ({ user }) => <Person id={user.id} name={nameOf(user)} /> },
  { head: 'Entry', isNumber: true, cell: ({ entryPrice }) => entryPrice },
  { head: 'Exit', isNumber: true, cell: ({ exitPrice }) => exitPrice },
  { head: 'State', cell: ({ status }) => <StatusTag of={status} /> },
  { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: '', cell: (trade) => <ActionButton action={removeTrade(trade)} /> },
];

const FILTERS: Filter[] = [
  { kind: 'search', name: 'symbol', label: 'Symbol' },
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    values: ['open', 'won', 'lost', 'even'].map((one) => [one, one]),
  },
  { kind: 'link', name: 'userId', label: 'Author' },
];

export default function Trades() {
  return (
    <Page title="Community">
      <Listing
        operation={listTrades}
        filters={FILTERS}
        toQuery={({ symbol, ...others }) => ({ ...others, symbol: symbol?.toUpperCase() })}
        what="The trade ideas"
        caption="Trade ideas, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No trade ideas to show."
        file="trades"
      />
    </Page>
  );
}
