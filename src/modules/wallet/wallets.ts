import type { Actor, Audit } from '../../kernel/audit.ts';
import { batching } from '../../kernel/batching.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { onInTransaction } from '../../kernel/events.ts';
import { Failure, serviceUnavailable } from '../../kernel/failures.ts';
import { type RecordedAnswer, saveResponses } from '../../kernel/idempotency.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/pagination.ts';
import type { Clock } from '../../kernel/time.ts';
import { userDeleted, userNotFound } from '../identity/contract.ts';
import { recipientUnavailable, walletInactive, walletLocked, walletNotFound } from './contract.ts';
import type { Ledger, PostedTransaction, TransactionDraft } from './ledger.ts';
import type { Owner } from './owners.ts';
import { recipientWithoutWallet } from './postings.ts';
import type { Wallet, WalletFilter, WalletFlags, WalletStore } from './wallets.store.ts';

/** What the wallet asks of whoever knows the users. */
export interface Users {
  exists(userId: ObjectId, queries?: Queries): Promise<boolean>;
  /** Whether the member exists; if so, they are not deleted before the transaction ends. */
  keep(tx: Transaction, userId: ObjectId): Promise<boolean>;
  /** Of those of these who are members, in no order. */
  contactsOf(userIds: ObjectId[]): Promise<Owner[]>;
}

interface WalletDeps {
  store: WalletStore;
  ledger: Ledger;
  users: Users;
  database: Database;
  audit: Audit;
  clock: Clock;
}

interface MadeOrFound {
  wallet: Wallet;
  isNew: boolean;
}

const CLOSED = new Set([walletInactive().code, walletLocked().code, recipientUnavailable().code]);
const NO_ACCOUNT = recipientWithoutWallet().code;

export function walletRules({ store, ledger, users, database, audit, clock }: WalletDeps) {
  const find = batching<ObjectId, Wallet | undefined>(store.findAll, {
    maxSize: 500,
    concurrency: 1,
    maxQueued: 10_000,
    onOverflow: serviceUnavailable,
  });

  /** The user's wallet, made now if they have none yet. @throws userNotFound, also when they are deleted meanwhile */
  async function ensure(
    userId: ObjectId,
    { actor, answering }: { actor?: Actor; answering?: RecordedAnswer<MadeOrFound> } = {},
  ): Promise<MadeOrFound> {
    return database.transaction(async (tx) => {
      if (!(await users.keep(tx, userId))) throw userNotFound();
      const isNew = await ledger.ensureAccount(tx, 'wallet', userId);
      if (isNew && actor) await audit.record(tx, { ...actor, action: 'wallet.created', target: userId });
      const [wallet] = await store.findAll([userId], tx);
      const result = { wallet: wallet as Wallet, isNew };
      if (answering) await saveResponses(tx, [answering.idempotency.record(() => answering.of(result))]);
      return result;
    });
  }

  /** Posts, and again once whoever was to receive has an account for it. */
  async function postWith(draft: TransactionDraft, makeAccount: () => Promise<unknown>) {
    try {
      return await ledger.post(draft);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== NO_ACCOUNT) throw error;
      await makeAccount();
      return ledger.post(draft);
    }
  }

  async function ofUser(userId: ObjectId): Promise<Wallet> {
    const wallet = await find(userId);
    if (!wallet) throw walletNotFound();
    return wallet;
  }

  /** The wallet of a deleted person takes part in no movement any more. What it holds, and its history, stay. */
  async function close(tx: Transaction, userId: ObjectId): Promise<void> {
    await store.setFlags(tx, userId, { isActive: false }, new Date(clock.now()));
  }

  return {
    ensure,
    subscriptions: [onInTransaction(userDeleted, 'wallet', ({ data }, tx) => close(tx, data.userId))],
    /** @throws walletNotFound */
    ofUser,
    /**
     * A member's wallet and what is on hold of it.
     * @throws walletNotFound, userNotFound when there is nobody of this id either
     */
    async inspect(userId: ObjectId): Promise<Wallet & { heldKeys: number }> {
      const [[wallet], heldKeys] = await Promise.all([store.findAll([userId]), store.heldKeys(userId)]);
      if (wallet) return { ...wallet, heldKeys };
      throw (await users.exists(userId)) ? walletNotFound() : userNotFound();
    },
    /** Newest first. */
    pageOf: (filter: WalletFilter, page: PageRequest): Promise<Page<Wallet>> => store.pageOf(filter, page),
    /** @throws userNotFound */
    async ensureForUser(
      userId: ObjectId,
      actor: Actor,
      answering: RecordedAnswer<MadeOrFound>,
    ): Promise<MadeOrFound> {
      return ensure(userId, { actor, answering });
    },
    /**
     * The wallet as it was at an instant, with the flags of now; of an instant to come, as it is.
     * @throws walletNotFound
     */
    async balanceAt(userId: ObjectId, at: Date): Promise<Wallet> {
      const [wallet, then] = await Promise.all([ofUser(userId), store.balanceAt(userId, at)]);
      return { ...wallet, ...then };
    },
    /**
     * Locks, unlocks, activates or deactivates; recorded in the audit log.
     * @throws walletNotFound
     */
    async setFlags(userId: ObjectId, flags: WalletFlags, actor: Actor): Promise<Wallet> {
      return database.transaction(async (tx) => {
        if (!(await store.setFlags(tx, userId, flags, new Date(clock.now())))) throw walletNotFound();
        // Asked while the wallet is locked: a deletion that is not seen here yet closes the wallet after this.
        if (!(await users.exists(userId, tx))) throw userNotFound();
        await audit.record(tx, {
          ...actor,
          action: 'wallet.changed',
          target: userId,
          details: { ...flags },
        });
        return (await store.findAll([userId], tx))[0] as Wallet;
      });
    },
    /**
     * Posts a movement into a user's wallet, which is made if they have none yet.
     * @throws userNotFound, and what the ledger refuses
     */
    async postTo(recipientId: ObjectId, draft: TransactionDraft): Promise<PostedTransaction> {
      try {
        return await postWith(draft, () => ensure(recipientId));
      } catch (error) {
        // The wallet of a deleted person is inactive for good; to its senders there is no such person.
        const isClosed = error instanceof Failure && CLOSED.has(error.code);
        throw isClosed && !(await users.exists(recipientId)) ? userNotFound() : error;
      }
    },
    /** Posts a movement from a user's wallet to where what they withdraw is held. @throws what the ledger refuses */
    postToHold: (userId: ObjectId, draft: TransactionDraft): Promise<PostedTransaction> =>
      postWith(draft, () => database.transaction((tx) => ledger.ensureAccount(tx, 'hold', userId))),
  };
}

export type WalletRules = ReturnType<typeof walletRules>;
