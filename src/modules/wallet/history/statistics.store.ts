import type { Database } from '../../../kernel/database/database.ts';
import { statement } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { entryRangeOf, type Period } from '../ledger/entry-ranges.store.ts';

export interface Statistics {
  totalIn: number;
  totalOut: number;
  netBalance: number;
  totalTransactions: number;
  byType: Record<'fund' | 'transfer' | 'withdrawal', Sum> & { refund?: Sum };
}

interface Sum {
  count: number;
  /** Signed; negative for outgoing Keys. */
  amount: number;
}

interface SumsRow {
  /** As text, because the sum may exceed the safe integers. */
  received: string;
  net: number;
  /** By type, excluding transfers. */
  others: Record<string, Sum>;
}

/**
 * The sums of a range: received Keys from the running total, the net change from the balances, and non-transfers by
 * type from their running numbers. Each is a difference of two entries.
 */
const sums = statement<SumsRow>(
  'wallet.statistics',
  `select
     (coalesce(newest.received, 0) - coalesce(before.received, 0))::text as received,
     coalesce(newest.balance_after, 0) - coalesce(before.balance_after, 0) as net,
     (select coalesce(json_object_agg(kind, json_build_object('count', upto.type_seq - coalesce(earlier.type_seq, 0),
         'amount', upto.type_sum - coalesce(earlier.type_sum, 0))), '{}')
       from unnest('{fund,withdrawal,refund}'::text[]) as kind
       cross join lateral (
         select type_seq, type_sum from wallet.entry
         where account_id = $1 and type <> 'transfer' and type = kind and seq <= $3 order by seq desc limit 1
       ) upto
       left join lateral (
         select type_seq, type_sum from wallet.entry
         where account_id = $1 and type <> 'transfer' and type = kind and seq <= $2 order by seq desc limit 1
       ) earlier on true
       where upto.type_seq > coalesce(earlier.type_seq, 0)) as others
   from (select) nothing
   left join wallet.entry newest on newest.account_id = $1 and newest.seq = $3
   left join wallet.entry before on before.account_id = $1 and before.seq = $2`,
);

/**
 * Sums up a member's transactions in a period; over all time, the net is the balance. Entries carry running totals, so
 * nothing is aggregated: equally fast for ten entries and a million.
 */
export function statisticsStore(database: Database) {
  return async (userId: ObjectId, period: Period): Promise<Statistics> => {
    const range = await entryRangeOf(database, userId, period);
    if (!range) return toStatistics(0, { received: '0', net: 0, others: {} });
    const { accountId, after, upTo } = range;
    const [row] = await database.all(sums, [accountId, after, upTo]);
    return toStatistics(upTo - after, row as SumsRow);
  };
}

export type StatisticsStore = ReturnType<typeof statisticsStore>;

function toStatistics(count: number, { received, net, others }: SumsRow): Statistics {
  const none = { count: 0, amount: 0 };
  const { fund = none, withdrawal = none, refund } = others;
  const known = [fund, withdrawal, refund ?? none];
  const transfer = {
    count: count - known.reduce((sum, one) => sum + one.count, 0),
    amount: net - known.reduce((sum, one) => sum + one.amount, 0),
  };
  return {
    totalIn: Number(received),
    totalOut: Number(BigInt(received) - BigInt(net)),
    netBalance: net,
    totalTransactions: count,
    byType: { fund, transfer, withdrawal, ...(refund ? { refund } : {}) },
  };
}
