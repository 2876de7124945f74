import type { Database } from '../../src/kernel/database/database.ts';
import { bareLedger } from './bare-ledger.ts';

/** Returns how many Keys are in circulation. */
export const circulationOf = (database: Database): Promise<number> => bareLedger(database).circulation();

/** Issues Keys to a member with a wallet until this many are in circulation, whatever administrators may grant. */
export async function bringIntoCirculation(database: Database, userId: string, keys: number): Promise<void> {
  const { circulation, post } = bareLedger(database);
  await post({
    type: 'fund',
    status: 'completed',
    from: 'issued',
    to: `wallet:${userId}`,
    fromUserId: null,
    toUserId: userId,
    amount: keys - (await circulation()),
    description: '',
    metadata: {},
  } as Parameters<typeof post>[0]);
}
