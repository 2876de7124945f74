import type { ObjectId } from '../../kernel/ids.ts';
import {
  counting,
  EXPORTED_AT_ONCE,
  type ExportedRow,
  exporting,
  exportingBy,
  type MemberRecords,
} from '../../kernel/records/member-records.ts';
import { transactionIdOf } from './ledger/transactions.model.ts';

/** A page of the entries of a member's wallet, in order. */
const ENTRIES = `from (
    select * from wallet.entry
    where account_id = (select id from wallet.account where name = 'wallet:' || $1)
      and seq > coalesce(nullif($2, ''), '0')::bigint
    order by seq limit ${EXPORTED_AT_ONCE}) entry
  join wallet.transaction on transaction.id = entry.transaction_id
  order by entry.seq`;

/** An entry with its transaction. Which administrator acted is nobody's business but the audit log's. */
const SHOWN = `transaction.id as transaction_id, transaction.type, transaction.status, entry.amount, entry.balance_after,
  nullif(case when entry.amount < 0 then transaction.to_user_id else transaction.from_user_id end, $1) as other_user_id,
  transaction.description, transaction.metadata::jsonb - '{adminId,adminEmail}'::text[] as metadata,
  entry.created_at, transaction.processed_at`;

/** Under its public reference, by which the history has it, too. */
const shown = (row: ExportedRow): ExportedRow => ({
  ...row,
  transactionId: transactionIdOf(row.transactionId as ObjectId),
});

export const walletRecords: MemberRecords[] = [
  {
    name: 'walletEntries',
    isErased: false,
    tables: ['wallet.account', 'wallet.entry', 'wallet.transaction', 'wallet.gift_tally'],
    count: counting(
      'wallet.count-entries',
      `wallet.entry where account_id = (select id from wallet.account where name = 'wallet:' || $1)`,
    ),
    exported: [
      exporting('wallet', {
        about: 'Your wallet, and what is held for withdrawals',
        columns: 'id, kind, balance, received, is_active, locked, created_at, updated_at',
        from: `wallet.account where name in ('wallet:' || $1, 'hold:' || $1)`,
        areFew: true,
      }),
      exportingBy('wallet-entries', {
        about: 'Every change of the balance of your wallet',
        wordsOfOthers: ['description', 'metadata'],
        page: `select entry.seq as number, ${SHOWN}, entry.seq as cursor ${ENTRIES}`,
        shown,
      }),
      exportingBy('tips', {
        about: 'Gifts of Keys that you have sent or received',
        wordsOfOthers: ['description', 'metadata'],
        // Pages are cut by entries and not by gifts, so that none reads a long history for a few of them.
        page: `select ${SHOWN}, entry.seq as cursor,
            not (transaction.type = 'transfer' and transaction.metadata ->> 'gift' = 'true') is true as is_left_out
          ${ENTRIES}`,
        shown,
      }),
    ],
  },
];
