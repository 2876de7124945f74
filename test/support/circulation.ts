import type { Database } from '../../src/kernel/database/database.ts';
import { bareLedger } from './bare-ledger.ts';

/** Returns how many Keys are issued. */
export const circulationOf = (database: Database): Promise<number> => bareLedger(database).issued();

/** Issues Keys to a member with a wallet until this many are issued, whatever administrators may grant. */
export async function bringIntoCirculation(database: Database, userId: string, keys: number): Promise<void> {
  const { issued, post } = bareLedger(database);
  await post({
    type: 'fund',
    status: 'completed',
    from: 'issued',
    to: `wallet:${userId}`,
    fromUserId: null,
    toUserId: userId,
    amount: keys - (await issued()),
    description: '',
    metadata: {},
  } as Parameters<typeof post>[0]);
}
