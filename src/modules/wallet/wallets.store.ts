import type { Database } from '../../kernel/database/database.ts';
import { type Queries, statement } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { AccountName } from './postings.ts';

export interface Wallet {
  _id: ObjectId;
  userId: ObjectId;
  balance: number;
  balanceUSD: number;
  currency: 'Keys';
  isActive: boolean;
  locked: boolean;
  lockedReason?: string;
  createdAt: Date;
  updatedAt: Date;
}

interface WalletRow extends Omit<Wallet, 'lockedReason'> {
  lockedReason: string | null;
}

const SELECT = `
  select account.id as "_id", user_id as "userId", balance, round(balance * usd.rate, 2) as "balanceUSD",
    'Keys' as currency, is_active as "isActive", locked, locked_reason as "lockedReason",
    created_at as "createdAt", updated_at as "updatedAt"
  from wallet.account
  cross join (select rate from wallet.exchange_rate where currency = 'USD' and effective_to is null) usd`;

const walletsOfUsers = statement<WalletRow>('wallet.of-users', `${SELECT} where name = any($1)`);

const walletOf = (userId: ObjectId): AccountName => `wallet:${userId}`;

export function walletStore(database: Database) {
  async function findAll(userIds: ObjectId[], queries: Queries = database): Promise<(Wallet | undefined)[]> {
    const rows = await queries.run(walletsOfUsers, [[...new Set(userIds)].map(walletOf)]);
    const byUser = new Map(rows.map((row) => [row.userId, toWallet(row)]));
    return userIds.map((userId) => byUser.get(userId));
  }
  return {
    /** One answer for each user, in order. */
    findAll,
    /** Makes the wallet unless there is one; answers whether it did. */
    async insertUnlessThere(queries: Queries, id: ObjectId, userId: ObjectId, at: Date): Promise<boolean> {
      const { rows } = await queries.sql(
        `insert into wallet.account (id, kind, user_id, created_at, updated_at) values ($1, 'wallet', $2, $3, $3)
         on conflict do nothing returning id`,
        [id, userId, at],
      );
      return rows.length > 0;
    },
  };
}

export type WalletStore = ReturnType<typeof walletStore>;

function toWallet({ lockedReason, ...wallet }: WalletRow): Wallet {
  return lockedReason === null ? wallet : { ...wallet, lockedReason };
}
