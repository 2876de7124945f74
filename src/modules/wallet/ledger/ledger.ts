import type { Database } from '../../../kernel/database/database.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { Failure } from '../../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { saveResponses } from '../../../kernel/records/idempotency.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import {
  accountsOf,
  applyDrafts,
  chain,
  latest,
  type Outcome,
  type PostedTransaction,
  type TransactionDraft,
} from './drafts.ts';
import { groupCommit } from './group-commit.ts';
import type { Accounts } from './ledger.model.ts';
import { ledgerStore, type Write } from './ledger.store.ts';
import { postingAtOnce } from './posting-at-once.ts';
import type { Posting } from './postings.model.ts';
import { move } from './postings.ts';
import type { TransactionType } from './transactions.model.ts';

/** A further movement of a pending transaction, which completes it. */
export interface Completion extends Posting {
  transactionId: ObjectId;
  type: TransactionType;
  /** The transaction digest, as computed by the database. */
  digest: string;
}

interface LedgerDeps {
  database: Database;
  events: Events;
  clock: Clock;
  newId: NewId;
  /** Maximum number of accounts whose states are remembered between batches. */
  maxRemembered: number;
}

export function ledger({ database, events, clock, newId, maxRemembered }: LedgerDeps) {
  const atOnce = postingAtOnce({ database, events, clock, newId, maxRemembered });

  /**
   * Posts any number of drafts whose accounts are locked: applies each in memory, then writes the accepted ones. A
   * rejected draft does not affect the others.
   */
  async function postAll(
    tx: Transaction,
    drafts: TransactionDraft[],
    accounts: Accounts,
    write: (...write: Write) => unknown,
  ): Promise<Outcome[]> {
    const granted = applyDrafts(drafts, accounts, { newId, nowMs: clock.now() });
    const { posted: all } = granted;
    for (const [draft, posted] of all) if (draft.also) await draft.also(tx, posted);
    const answers = all.map(([{ answer }, posted]) => answer?.idempotency.record(() => answer.of(posted)));
    await saveResponses(tx, answers);
    const announced = all.flatMap(([{ announce }, posted]) => announce?.(posted) ?? []);
    await events.publishAll(tx, announced);
    if (all.length > 0) await write(...ledgerStore.write(granted));
    return granted.outcomes;
  }

  async function postIn(tx: Transaction, draft: Omit<TransactionDraft, 'admit'>): Promise<PostedTransaction> {
    const accounts = await lock(tx, [draft]);
    atOnce.forget(accounts.keys());
    const [outcome] = await postAll(tx, [draft], accounts, (...write) => tx.execute(...write));
    if (outcome instanceof Failure) throw outcome;
    return outcome as PostedTransaction;
  }

  const post = groupCommit({ database, atOnce, postAll });

  return {
    /**
     * Moves Keys and records the transaction; resolves once it is committed.
     * @throws the failures of {@link move}; 503 if another transaction keeps one of the accounts locked for too long
     */
    post,

    /** Locks the accounts of a posting until the transaction ends, and returns the balance of its source. */
    async balanceIn(tx: Transaction, posting: Pick<Posting, 'from' | 'to'>): Promise<number> {
      return (await lock(tx, [posting])).get(posting.from)?.balance ?? 0;
    },

    /** Returns how many Keys are issued, those that were paid out included, at most a moment ago. */
    issued: (): Promise<number> => ledgerStore.issued(database),

    /** Posts within an open transaction; the accounts stay locked until it ends. */
    postIn,

    /** Moves the held Keys of a pending transaction to their destination and completes it. */
    async completeIn(
      tx: Transaction,
      { transactionId, type, digest, ...posting }: Completion,
    ): Promise<void> {
      const accounts = await lock(tx, [posting]);
      atOnce.forget(accounts.keys());
      const at = latest(clock.now(), [...accounts.values()]);
      const moved = move(accounts, posting, chain(digest, at));
      if (moved instanceof Failure) throw moved;
      await ledgerStore.end(tx, transactionId, 'completed', at);
      await tx.execute(
        ...ledgerStore.write({ transactions: [], movements: [{ ...moved, transactionId, type }], at }),
      );
    },

    /** Ends a pending transaction whose Keys another transaction returns. */
    endIn: (tx: Transaction, transactionId: ObjectId, status: 'failed' | 'cancelled') =>
      ledgerStore.end(tx, transactionId, status, new Date(clock.now())),

    /** Creates a user's account of this kind unless it exists; returns whether it was created. */
    ensureAccount: (tx: Transaction, kind: 'wallet' | 'hold', userId: ObjectId): Promise<boolean> =>
      ledgerStore.insertAccount(tx, { id: newId(), kind, userId }, new Date(clock.now())),

    /** Numbers of batches posted in one statement, and of those that were not because a remembered state was stale. */
    batchesAtOnce: atOnce.batches,
  };
}

export type Ledger = ReturnType<typeof ledger>;

const lock = (tx: Transaction, postings: Pick<Posting, 'from' | 'to'>[]): Promise<Accounts> =>
  ledgerStore.lock(tx, accountsOf(postings));
