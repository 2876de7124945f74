import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { AccountName, AccountState, Entry } from './postings.ts';
import type { TransactionRecord } from './transactions.store.ts';

/** What is written of one granted posting. */
export interface PostingRecord extends TransactionRecord {
  entries: Entry[];
}

/** Every account of the batch, locked in the order of ids: whoever locks the same accounts does it in that order too. */
const lockAccounts = statement<AccountState & { name: AccountName }>(
  'wallet.lock-accounts',
  `select name, id, balance, last_seq as "lastSeq", is_active as "isActive", locked, updated_at as "updatedAt"
   from wallet.account
   where name = any($1)
   order by id
   for no key update`,
);

const write = statement<never>(
  'wallet.write-batch',
  `with recorded as (
     insert into wallet.transaction
       (id, type, status, from_user_id, to_user_id, amount, description, metadata, created_at, processed_at)
     select id, type, status, from_user, to_user, amount, description, metadata, $9::timestamptz,
       case status when 'pending' then null else $9::timestamptz end
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::jsonb[])
       as posting (id, type, status, from_user, to_user, amount, description, metadata)
   )
   insert into wallet.entry (account_id, seq, transaction_id, amount, balance_before, balance_after, created_at)
   select *, $9::timestamptz
   from unnest($10::text[], $11::bigint[], $12::text[], $13::bigint[], $14::bigint[], $15::bigint[])`,
);

export const ledgerStore = {
  async lock(tx: Transaction, names: Iterable<AccountName>): Promise<Map<AccountName, AccountState>> {
    const rows = await tx.run(lockAccounts, [[...names]]);
    return new Map(rows.map((row) => [row.name, row]));
  },

  /** Writes the batch, as the last thing of its transaction; the database applies the entries to the balances, or refuses them all. */
  write(tx: Transaction, records: PostingRecord[], at: Date): void {
    const entries = records.flatMap(({ id, entries }) => entries.map((entry) => ({ ...entry, id })));
    tx.runLast(write, [
      records.map(({ id }) => id),
      records.map(({ type }) => type),
      records.map(({ status }) => status),
      records.map(({ fromUserId }) => fromUserId),
      records.map(({ toUserId }) => toUserId),
      records.map(({ amount }) => amount),
      records.map(({ description }) => description),
      records.map(({ metadata }) => JSON.stringify(metadata)),
      at,
      entries.map(({ accountId }) => accountId),
      entries.map(({ seq }) => seq),
      entries.map(({ id }) => id),
      entries.map(({ amount }) => amount),
      entries.map(({ balanceBefore }) => balanceBefore),
      entries.map(({ balanceAfter }) => balanceAfter),
    ]);
  },
};
