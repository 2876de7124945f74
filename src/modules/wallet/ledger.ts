import type { Database } from '../../kernel/database/database.ts';
import { codeOf } from '../../kernel/database/faults.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Announcement, Events } from '../../kernel/events.ts';
import { Failure, serviceUnavailable } from '../../kernel/failures.ts';
import { gather } from '../../kernel/gather.ts';
import { AlreadyDone, type Answering, remember } from '../../kernel/idempotency.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';
import { inThisTrace } from '../../kernel/trace.ts';
import { ledgerStore, type NewTransaction, type PostedMovement } from './ledger.store.ts';
import { entryHash, transactionDigest } from './ledger-hashes.ts';
import { type AccountName, type Chain, type Movement, move, type Posting } from './postings.ts';
import type { TransactionRecord, TransactionType } from './transactions.store.ts';

/** A movement of Keys to be recorded as a transaction, and what belongs to it and commits with it. */
export interface TransactionDraft extends Posting, Omit<TransactionRecord, 'id'> {
  /** Writes of others in the same transaction, such as an audit entry. */
  also?: (tx: Transaction, posted: PostedTransaction) => Promise<void>;
  /** What is told to other modules. */
  announce?: (posted: PostedTransaction) => Announcement;
  /** What will be answered; remembered when the request came with an Idempotency-Key. */
  answer?: Answering<PostedTransaction>;
}

export interface PostedTransaction extends Movement {
  id: ObjectId;
  at: Date;
}

/** One more movement of a pending transaction, which completes it. */
export interface Completion extends Posting {
  transactionId: ObjectId;
  type: TransactionType;
  /** As the database tells it. */
  digest: string;
}

interface LedgerNeeds {
  database: Database;
  events: Events;
  clock: Clock;
  newId: NewId;
}

type Outcome = PostedTransaction | Failure;
type Write = ReturnType<typeof ledgerStore.write>;

export function ledger({ database, events, clock, newId }: LedgerNeeds) {
  /**
   * The simple path, for any number of drafts: lock the accounts in order, let each draft move what it may, write
   * what was granted. One refused draft does not touch the others.
   */
  async function postAll(
    tx: Transaction,
    drafts: TransactionDraft[],
    write: (...write: Write) => unknown,
  ): Promise<Outcome[]> {
    const accounts = await lock(tx, drafts);
    const at = latest(clock.now(), [...accounts.values()]);
    const transactions: NewTransaction[] = [];
    const movements: PostedMovement[] = [];
    const granted: [TransactionDraft, PostedTransaction][] = [];
    const outcomes = drafts.map((draft): Outcome => {
      const id = newId();
      const transaction = { ...draft, id, metadata: JSON.stringify(draft.metadata) };
      const digest = transactionDigest(transaction, transaction.metadata, at);
      const moved = move(accounts, draft, chain(digest, at));
      if (moved instanceof Failure) return moved;
      const posted = { ...moved, id, at };
      transactions.push(transaction);
      movements.push({ ...moved, transactionId: id, type: draft.type });
      granted.push([draft, posted]);
      return posted;
    });
    for (const [draft, posted] of granted) if (draft.also) await draft.also(tx, posted);
    const answers = granted.map(([{ answer }, posted]) => answer?.once.remembered(() => answer.of(posted)));
    await remember(tx, answers);
    const told = granted.flatMap(([{ announce }, posted]) => announce?.(posted) ?? []);
    await events.publishAll(tx, told);
    if (granted.length > 0) await write(...ledgerStore.write(transactions, movements, at));
    return outcomes;
  }

  /**
   * Group commit: drafts that arrive while a batch commits become the next batch, so that a hundred concurrent
   * transfers cost a few commits instead of a hundred, and none is answered before its own. Should the database
   * refuse a batch, which the rules mean to make impossible, or one of it have been done before, each draft goes by
   * itself and only the culprit fails.
   */
  const gathered = gather<TransactionDraft, PostedTransaction>(
    async (drafts) => {
      try {
        // The write is the last of its transaction: it travels with the commit.
        return await database.transaction((tx) => postAll(tx, drafts, (...write) => tx.send(...write)));
      } catch (error) {
        if (drafts.length === 1 || !isRefused(error)) throw error;
        return Promise.all(drafts.map(postAlone));
      }
    },
    { most: 100, lanes: 1, waiting: 5_000, overflow: serviceUnavailable },
  );

  const post = (draft: TransactionDraft): Promise<PostedTransaction> =>
    gathered({ ...draft, also: inThisTrace(draft.also), announce: inThisTrace(draft.announce) });

  const postAlone = (draft: TransactionDraft): Promise<PostedTransaction | Error> =>
    database.transaction((tx) => postIn(tx, draft)).catch((error: Error) => error);

  async function postIn(tx: Transaction, draft: TransactionDraft): Promise<PostedTransaction> {
    const [outcome] = await postAll(tx, [draft], (...write) => tx.run(...write));
    if (outcome instanceof Failure) throw outcome;
    return outcome as PostedTransaction;
  }

  return {
    /**
     * Moves Keys and records the transaction; resolves once it is committed.
     * @throws the failures of {@link move}
     */
    post,

    /** What an account holds, which stays so until the transaction ends; for a posting between the same accounts. */
    async balanceIn(tx: Transaction, posting: Pick<Posting, 'from' | 'to'>): Promise<number> {
      return (await lock(tx, [posting])).get(posting.from)?.balance ?? 0;
    },

    /** Posts within a transaction that goes on; its accounts stay locked until that ends. */
    postIn,

    /** Moves what a pending transaction held to where it ends, and completes it. */
    async completeIn(
      tx: Transaction,
      { transactionId, type, digest, ...posting }: Completion,
    ): Promise<void> {
      const accounts = await lock(tx, [posting]);
      const at = latest(clock.now(), [...accounts.values()]);
      const moved = move(accounts, posting, chain(digest, at));
      if (moved instanceof Failure) throw moved;
      await ledgerStore.end(tx, transactionId, 'completed', at);
      await tx.run(...ledgerStore.write([], [{ ...moved, transactionId, type }], at));
    },

    /** Ends a pending transaction whose Keys another one returns. */
    endIn: (tx: Transaction, transactionId: ObjectId, status: 'failed' | 'cancelled') =>
      ledgerStore.end(tx, transactionId, status, new Date(clock.now())),

    /** Makes a user's account of this kind, unless it is there; answers whether it did. */
    ensureAccount: (tx: Transaction, kind: 'wallet' | 'hold', userId: ObjectId): Promise<boolean> =>
      ledgerStore.insertAccount(tx, { id: newId(), kind, userId }, new Date(clock.now())),
  };
}

export type Ledger = ReturnType<typeof ledger>;

const lock = (tx: Transaction, postings: Pick<Posting, 'from' | 'to'>[]) =>
  ledgerStore.lock(tx, new Set<AccountName>(postings.flatMap(({ from, to }) => [from, to])));

const chain =
  (digest: string, at: Date): Chain =>
  (previous, entry) =>
    entryHash(previous, digest, entry, at);

/** Of one account the entries' order is their order in time, whatever the clocks of several machines say. */
function latest(nowMs: number, accounts: { updatedAt: Date }[]): Date {
  return new Date(Math.max(nowMs, ...accounts.map(({ updatedAt }) => updatedAt.getTime())));
}

/** Certainly rolled back, unlike a connection lost at commit: integrity constraints, raised exceptions, repetitions. */
const isRefused = (error: unknown): boolean =>
  error instanceof AlreadyDone || /^(23|P0)/.test(codeOf(error) ?? '');
