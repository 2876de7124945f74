import type { ObjectId } from '../../../kernel/ids.ts';
import type { Period } from '../ledger/entry-ranges.model.ts';
import type { Sum, SumsRow } from './statistics.model.ts';
import type { StatisticsStore } from './statistics.store.ts';

export interface Statistics {
  totalIn: number;
  totalOut: number;
  netBalance: number;
  totalTransactions: number;
  byType: Record<'fund' | 'transfer' | 'withdrawal', Sum> & { refund?: Sum };
}

/**
 * Returns totals of a member's transactions in a period; over all time, the net is the balance. Entries carry running
 * totals, so nothing is aggregated: it is equally fast for ten entries and a million.
 */
export const statisticsRules =
  (read: StatisticsStore) =>
  async (userId: ObjectId, period: Period): Promise<Statistics> =>
    statisticsOf((await read(userId, period)) ?? { count: 0, received: '0', net: 0, others: {} });

export type StatisticsRules = ReturnType<typeof statisticsRules>;

function statisticsOf({ count, received, net, others }: SumsRow & { count: number }): Statistics {
  const none = { count: 0, amount: 0 };
  const { fund = none, withdrawal = none, refund } = others;
  const statistics = [fund, withdrawal, refund ?? none];
  const transfer = {
    count: count - statistics.reduce((sum, one) => sum + one.count, 0),
    amount: net - statistics.reduce((sum, one) => sum + one.amount, 0),
  };
  return {
    totalIn: Number(received),
    totalOut: Number(BigInt(received) - BigInt(net)),
    netBalance: net,
    totalTransactions: count,
    byType: { fund, transfer, withdrawal, ...(refund ? { refund } : {}) },
  };
}
