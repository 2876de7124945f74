import type { Database } from '../../../kernel/database/database.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { AccountName } from '../ledger/postings.model.ts';
import type { Wallet, WalletFilter, WalletFlags } from './wallets.model.ts';

interface WalletRow extends Omit<Wallet, 'lockedReason'> {
  lockedReason: string | null;
}

/** The view's columns are named as in the API. */
const COLUMNS = `_id, "userId", balance, "balanceUSD", currency, "isActive", locked, "lockedReason", "createdAt",
  "updatedAt"`;

const walletsOfUsers = statement<WalletRow>(
  'wallet.of-users',
  `select ${COLUMNS} from wallet.wallet where name = any($1)`,
);

const walletOf = (userId: ObjectId): AccountName => `wallet:${userId}`;

export function walletStore(database: Database) {
  async function findAll(userIds: ObjectId[], queries: Queries = database): Promise<(Wallet | undefined)[]> {
    const rows = await queries.all(walletsOfUsers, [[...new Set(userIds)].map(walletOf)]);
    const byUser = new Map(rows.map((row) => [row.userId, toWallet(row)]));
    return userIds.map((userId) => byUser.get(userId));
  }
  return {
    /** Returns one result per user, in the same order. */
    findAll,

    /** Returns the wallet of a user who must have one. */
    get: async (userId: ObjectId, queries: Queries): Promise<Wallet> =>
      only(await findAll([userId], queries)),

    /** Returns the number of a user's Keys that pending withdrawals hold. */
    async heldKeys(userId: ObjectId, queries: Queries = database): Promise<number> {
      return queries.count('select balance from wallet.account where name = $1', [
        `hold:${userId}` satisfies AccountName,
      ]);
    },

    /** Returns wallets, newest first; served by account_listing, account_locked and account_inactive. */
    async pageOf({ locked, isActive }: WalletFilter, page: PageRequest): Promise<Page<Wallet>> {
      const from = `wallet.wallet where kind = 'wallet'
        and ($1::boolean is null or locked = $1) and ($2::boolean is null or "isActive" = $2)`;
      const order = { orderBy: '"createdAt" desc, _id desc', moment: '"createdAt", _id' };
      const paged = { columns: COLUMNS, from, ...order, isGrowing: true };
      const values = [locked ?? null, isActive ?? null];
      return mapPage(await readPage<WalletRow>(database, paged, values, page), toWallet);
    },

    /**
     * Changes the flags, unlocking also clears the reason, and the time if any of them differs. Returns those before;
     * undefined without a wallet.
     */
    async setFlags(
      tx: Transaction,
      userId: ObjectId,
      { locked, lockedReason, isActive }: WalletFlags,
      at: Date,
    ): Promise<WalletFlags | undefined> {
      return tx.first<WalletFlags>(
        `with before as (
           select id, locked, locked_reason, is_active from wallet.account where name = $1 for no key update),
         wanted as (
           select id, coalesce($2, locked) as locked,
             case when coalesce($2, locked) then coalesce($3, locked_reason) end as locked_reason,
             coalesce($4, is_active) as is_active
           from before),
         changed as (
           update wallet.account a
           set locked = w.locked, locked_reason = w.locked_reason, is_active = w.is_active,
             updated_at = greatest(a.updated_at, $5)
           from wanted w join before b using (id)
           where a.id = w.id and (b.locked, b.locked_reason, b.is_active)
             is distinct from (w.locked, w.locked_reason, w.is_active))
         select locked, locked_reason, is_active from before`,
        [walletOf(userId), locked ?? null, lockedReason ?? null, isActive ?? null, at],
      );
    },

    /**
     * Returns the balance at an instant, and its value at the rate of that instant. The balance is zero before the
     * wallet was created.
     */
    async balanceAt(
      userId: ObjectId,
      at: Date,
    ): Promise<{ balance: number; balanceUSD: number } | undefined> {
      return database.first<{ balance: number; balanceUSD: number }>(
        `select coalesce(entry.balance_after, 0) as balance,
           round(coalesce(entry.balance_after, 0) * usd.rate, 2) as "balanceUSD"
         from wallet.account
         cross join lateral (
           select rate from wallet.exchange_rate where currency = 'USD' and effective_from <= $2
           order by effective_from desc, id desc limit 1
         ) usd
         left join wallet.entry on account_id = account.id
           and seq = wallet.seq_at(account.id, account.last_seq, $2)
         where name = $1`,
        [walletOf(userId), at],
      );
    },
  };
}

export type WalletStore = ReturnType<typeof walletStore>;

function toWallet({ lockedReason, ...wallet }: WalletRow): Wallet {
  return lockedReason === null ? wallet : { ...wallet, lockedReason };
}
