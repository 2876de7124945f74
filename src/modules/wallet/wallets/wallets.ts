import { batching } from '../../../kernel/concurrency/batching.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Caller } from '../../../kernel/operations/callers.ts';
import type { StepUp } from '../../../kernel/operations/step-up.ts';
import { type Actor, type Audit, changesNothing, changesOf } from '../../../kernel/records/audit.ts';
import { answered, type RecordedAnswer } from '../../../kernel/records/idempotency.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import { userNotFound } from '../../identity/contract.ts';
import { recipientUnavailable, walletInactive, walletLocked, walletNotFound } from '../contract.ts';
import type { PostedTransaction, TransactionDraft } from '../ledger/drafts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { recipientWithoutWallet } from '../ledger/postings.ts';
import type { Contact } from './owners.ts';
import type { Wallet, WalletFilter, WalletFlags } from './wallets.model.ts';
import type { WalletStore } from './wallets.store.ts';

/** The interface of identity that the wallet uses. */
export interface Users {
  exists(userId: ObjectId, queries?: Queries): Promise<boolean>;
  /** Returns whether the member exists; if so, prevents their deletion until the transaction ends. */
  keep(tx: Transaction, userId: ObjectId): Promise<boolean>;
  /** Returns the contacts of existing members, in no particular order. */
  contactsOf(userIds: ObjectId[]): Promise<Contact[]>;
  stepUp: StepUp;
  /** See {@link Identity}. */
  mustStayVerified(tx: Transaction, caller: Caller): Promise<void>;
}

interface WalletDeps {
  store: WalletStore;
  ledger: Ledger;
  users: Users;
  database: Database;
  audit: Audit;
  clock: Clock;
}

interface EnsuredWallet {
  wallet: Wallet;
  isNew: boolean;
}

const CLOSED = [walletInactive, walletLocked, recipientUnavailable];

export function walletRules({ store, ledger, users, database, audit, clock }: WalletDeps) {
  const find = batching<ObjectId, Wallet | undefined>((userIds) => store.findAll(userIds), {
    maxSize: 500,
    concurrency: 1,
    maxQueued: 10_000,
    onOverflow: serviceUnavailable,
  });

  /**
   * Returns the user's wallet, created if needed.
   * @throws userNotFound, also if they are deleted concurrently
   */
  async function ensure(
    userId: ObjectId,
    { actor, answering }: { actor?: Actor; answering?: RecordedAnswer<EnsuredWallet> } = {},
  ): Promise<EnsuredWallet> {
    return database.transaction(async (tx) => {
      if (!(await users.keep(tx, userId))) throw userNotFound();
      const isNew = await ledger.ensureAccount(tx, 'wallet', userId);
      if (isNew && actor) await audit.record(tx, { ...actor, action: 'wallet.created', target: userId });
      const wallet = await store.get(userId, tx);
      const result = { wallet, isNew };
      return answering ? answered(tx, answering, result) : result;
    });
  }

  /** Posts a draft; if the recipient has no account, creates it and posts again. */
  async function postWith(draft: TransactionDraft, makeAccount: () => Promise<unknown>) {
    try {
      return await ledger.post(draft);
    } catch (error) {
      if (!recipientWithoutWallet.is(error)) throw error;
      await makeAccount();
      return ledger.post(draft);
    }
  }

  async function ofUser(userId: ObjectId): Promise<Wallet> {
    const wallet = await find(userId);
    if (!wallet) throw walletNotFound();
    return wallet;
  }

  return {
    ensure,
    /** @throws walletNotFound */
    ofUser,
    /**
     * Returns a member's wallet and the Keys on hold.
     * @throws walletNotFound; userNotFound when the user does not exist either
     */
    async inspect(userId: ObjectId): Promise<Wallet & { heldKeys: number }> {
      const [[wallet], heldKeys] = await Promise.all([store.findAll([userId]), store.heldKeys(userId)]);
      if (wallet) return { ...wallet, heldKeys };
      throw (await users.exists(userId)) ? walletNotFound() : userNotFound();
    },
    /** Returns wallets, newest first. */
    pageOf: (filter: WalletFilter, page: PageRequest): Promise<Page<Wallet>> => store.pageOf(filter, page),
    /** @throws userNotFound */
    async ensureForUser(
      userId: ObjectId,
      actor: Actor,
      answering: RecordedAnswer<EnsuredWallet>,
    ): Promise<EnsuredWallet> {
      return ensure(userId, { actor, answering });
    },
    /**
     * Returns the wallet with its balance at an instant and its current flags; for a future instant, the current
     * balance.
     * @throws walletNotFound
     */
    async balanceAt(userId: ObjectId, at: Date): Promise<Wallet> {
      const [wallet, then] = await Promise.all([ofUser(userId), store.balanceAt(userId, at)]);
      return { ...wallet, ...then };
    },
    /**
     * Locks, unlocks, activates or deactivates a wallet; recorded in the audit log, unless it changes nothing.
     * @throws walletNotFound, userNotFound
     */
    async setFlags(userId: ObjectId, flags: WalletFlags, actor: Actor): Promise<Wallet> {
      return database.transaction(async (tx) => {
        const before = await store.setFlags(tx, userId, flags, clock.date());
        if (!before) throw walletNotFound();
        // Checked while the wallet is locked: a deletion that is not visible yet will close the wallet afterwards.
        if (!(await users.exists(userId, tx))) throw userNotFound();
        // A reason belongs to a lock: one for a wallet that is open is not kept.
        const isLocked = flags.locked ?? before.locked;
        const changes = changesOf(before, isLocked ? flags : { ...flags, lockedReason: undefined });
        if (!changesNothing(changes)) {
          const entry = { action: 'wallet.changed', target: userId, changes, details: { ...flags } };
          await audit.record(tx, { ...actor, ...entry });
        }
        return store.get(userId, tx);
      });
    },
    /**
     * Posts a movement into a user's wallet, creating the wallet if needed.
     * @throws userNotFound, and the failures of the ledger
     */
    async postTo(recipientId: ObjectId, draft: TransactionDraft): Promise<PostedTransaction> {
      try {
        return await postWith(draft, () => ensure(recipientId));
      } catch (error) {
        // The wallet of a deleted member is permanently inactive; senders receive userNotFound.
        const isClosed = CLOSED.some((kind) => kind.is(error));
        throw isClosed && !(await users.exists(recipientId)) ? userNotFound() : error;
      }
    },
    /** Posts a movement from a user's wallet to their hold account. @throws the failures of the ledger */
    postToHold: (userId: ObjectId, draft: TransactionDraft): Promise<PostedTransaction> =>
      postWith(draft, () => database.transaction((tx) => ledger.ensureAccount(tx, 'hold', userId))),
  };
}

export type WalletRules = ReturnType<typeof walletRules>;
