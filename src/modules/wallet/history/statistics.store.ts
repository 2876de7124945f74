import type { Database } from '../../../kernel/database/database.ts';
import { statement } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { Period } from '../ledger/entry-ranges.model.ts';
import { entryRangeOf } from '../ledger/entry-ranges.store.ts';
import type { SumsRow } from './statistics.model.ts';

/**
 * The sums of a range: received Keys from the running total, the net change from the balances, and non-transfers by
 * type from their running numbers. Each sum is a difference of two entries.
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

/** Reads the sums of a member's transactions in a period, and their number; undefined without a wallet. */
export function statisticsStore(database: Database) {
  return async (userId: ObjectId, period: Period): Promise<(SumsRow & { count: number }) | undefined> => {
    const range = await entryRangeOf(database, userId, period);
    if (!range) return undefined;
    const { accountId, after, upTo } = range;
    return { ...only(await database.all(sums, [accountId, after, upTo])), count: upTo - after };
  };
}

export type StatisticsStore = ReturnType<typeof statisticsStore>;
