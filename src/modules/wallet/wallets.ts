import type { Actor, Audit } from '../../kernel/audit.ts';
import type { Database } from '../../kernel/database/database.ts';
import { Failure, notFound, serviceUnavailable } from '../../kernel/failures.ts';
import { gather } from '../../kernel/gather.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Ledger, PostedTransaction, TransactionDraft } from './ledger.ts';
import { recipientWithoutWallet, walletNotFound } from './postings.ts';
import type { Wallet, WalletStore } from './wallets.store.ts';

export const userNotFound = notFound('User');

/** What the wallet asks of whoever knows the users. */
export interface Users {
  exists(userId: ObjectId): Promise<boolean>;
}

interface WalletNeeds {
  store: WalletStore;
  ledger: Ledger;
  users: Users;
  database: Database;
  audit: Audit;
  clock: Clock;
  newId: NewId;
}

const NO_WALLET = recipientWithoutWallet().code;

export function walletRules({ store, ledger, users, database, audit, clock, newId }: WalletNeeds) {
  const find = gather<ObjectId, Wallet | undefined>(store.findAll, {
    most: 500,
    lanes: 1,
    waiting: 10_000,
    overflow: serviceUnavailable,
  });

  /** The user's wallet, made now if they have none yet. The user must exist. */
  async function ensure(userId: ObjectId, actor?: Actor): Promise<{ wallet: Wallet; isNew: boolean }> {
    return database.transaction(async (tx) => {
      const isNew = await store.insertUnlessThere(tx, newId(), userId, new Date(clock.now()));
      if (isNew && actor) await audit.record(tx, { ...actor, action: 'wallet.created', target: userId });
      const [wallet] = await store.findAll([userId], tx);
      return { wallet: wallet as Wallet, isNew };
    });
  }

  return {
    ensure,
    /** @throws walletNotFound */
    async ofUser(userId: ObjectId): Promise<Wallet> {
      const wallet = await find(userId);
      if (!wallet) throw walletNotFound();
      return wallet;
    },
    /** @throws userNotFound */
    async ensureForUser(userId: ObjectId, actor: Actor): Promise<{ wallet: Wallet; isNew: boolean }> {
      if (!(await users.exists(userId))) throw userNotFound();
      return ensure(userId, actor);
    },
    /**
     * Posts a movement into a user's wallet, which is made if they have none yet.
     * @throws userNotFound, and what the ledger refuses
     */
    async postTo(recipientId: ObjectId, draft: TransactionDraft): Promise<PostedTransaction> {
      try {
        return await ledger.post(draft);
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== NO_WALLET) throw error;
        if (!(await users.exists(recipientId))) throw userNotFound();
        await ensure(recipientId);
        return ledger.post(draft);
      }
    },
  };
}

export type WalletRules = ReturnType<typeof walletRules>;
