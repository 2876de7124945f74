import type { Database } from '../../../kernel/database/database.ts';
import { statement } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { EntryRange, Period } from '../ledger/entry-ranges.model.ts';
import { entryRangeOf } from '../ledger/entry-ranges.store.ts';
import type { StatementEntry } from './statements.model.ts';

const STATEMENT_CHUNK = 1_000;

const statementEntries = statement<StatementEntry>(
  'wallet.statement-entries',
  `select seq, entry.created_at as at, transaction.id, entry.type, status, from_user_id as "fromUserId",
     to_user_id as "toUserId", description, entry.amount as change, balance_after as "balanceAfter"
   from wallet.entry join wallet.transaction on transaction.id = entry.transaction_id
   where account_id = $1 and seq > $2 and seq <= $3 order by seq`,
);

export function statementStore(database: Database) {
  /** Yields the entries of a range, oldest first, in chunks of a thousand. */
  async function* entriesOf({ accountId, after, upTo }: EntryRange): AsyncGenerator<StatementEntry[]> {
    for (let seq = after; seq < upTo; seq += STATEMENT_CHUNK) {
      const last = Math.min(upTo, seq + STATEMENT_CHUNK);
      yield await database.all(statementEntries, [accountId, seq, last]);
    }
  }

  /** Returns the balances before and after a period and the entries within it; undefined without a wallet. */
  return async (userId: ObjectId, period: Period) => {
    const range = await entryRangeOf(database, userId, period);
    if (!range) return undefined;
    const balances = await database.first<{ openingBalance: number; closingBalance: number }>(
      `select coalesce((select balance_after from wallet.entry where account_id = $1 and seq = $2), 0) as opening_balance,
         coalesce((select balance_after from wallet.entry where account_id = $1 and seq = $3), 0) as closing_balance`,
      [range.accountId, range.after, range.upTo],
    );
    return { ...balances, entryCount: range.upTo - range.after, entries: entriesOf(range) };
  };
}

export type StatementStore = ReturnType<typeof statementStore>;
