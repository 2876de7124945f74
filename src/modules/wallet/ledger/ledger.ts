import { setTimeout as sleep } from 'node:timers/promises';
import { batching } from '../../../kernel/concurrency/batching.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { LOCK_TIMEOUT_MS } from '../../../kernel/database/pooler.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { Failure, serviceUnavailable } from '../../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { only } from '../../../kernel/only.ts';
import { saveResponses } from '../../../kernel/records/idempotency.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import { inThisTrace } from '../../../kernel/trace.ts';
import { admissionsOf, HELD, isLockTimeout } from './admission.ts';
import {
  accountsOf,
  applyDrafts,
  chain,
  latest,
  type Outcome,
  type PostedTransaction,
  type TransactionDraft,
} from './drafts.ts';
import { isRefused } from './ledger.faults.ts';
import type { Accounts } from './ledger.model.ts';
import { type Locked, ledgerStore } from './ledger.store.ts';
import { postingAtOnce } from './posting-at-once.ts';
import type { AccountName, Posting } from './postings.model.ts';
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

type Write = ReturnType<typeof ledgerStore.write>;

/** How long a draft waits for a locked account or member. */
const MAX_HELD_MS = LOCK_TIMEOUT_MS;
/** For how long batches wait for those of other processes once they have met one. */
const CONTENDED_MS = 1_000;
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 25;
const QUEUE = { maxSize: 100, concurrency: 1, maxQueued: 5_000, onOverflow: serviceUnavailable };

export function ledger({ database, events, clock, newId, maxRemembered }: LedgerDeps) {
  const atOnce = postingAtOnce({ database, events, clock, newId, maxRemembered });
  let heldAtMs = Number.NEGATIVE_INFINITY;
  /** Whether other processes have lately posted to the same accounts. */
  const isContended = (): boolean => atOnce.isPaused() || performance.now() - heldAtMs < CONTENDED_MS;

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

  /** Posts the drafts that are admitted and whose accounts `lock` could lock, in one transaction. */
  async function postLocked(
    drafts: TransactionDraft[],
    lock: (tx: Transaction, names: Set<AccountName>) => Promise<Locked>,
  ): Promise<(Outcome | typeof HELD)[]> {
    const [outcomes, left] = await database.transaction(async (tx) => {
      const admissions = await admissionsOf(tx, drafts);
      const admitted = drafts.filter((_, place) => admissions[place] === undefined);
      const { accounts, held } = await lock(tx, accountsOf(admitted));
      const refusals = drafts.map(
        ({ from, to }, place) => admissions[place] ?? (held.has(from) || held.has(to) ? HELD : undefined),
      );
      const granted = drafts.filter((_, place) => refusals[place] === undefined);
      // The last statement of its transaction, sent together with the commit.
      const posted = await postAll(tx, granted, accounts, (...write) => tx.send(...write));
      return [refusals.map((refusal) => refusal ?? (posted.shift() as Outcome)), accounts] as const;
    });
    atOnce.remember(left);
    return outcomes;
  }

  /** Posts the drafts whose accounts are free, without waiting for locks. */
  const postFree = async (drafts: TransactionDraft[]): Promise<(Outcome | typeof HELD)[]> => {
    const outcomes = await postLocked(drafts, ledgerStore.lockFree);
    if (outcomes.includes(HELD)) heldAtMs = performance.now();
    return outcomes;
  };

  /**
   * Posts drafts to accounts to which other processes post, too: waits for their batches, so that the batches of all
   * processes follow one another without a pause. An account that is locked for longer delays only its own drafts.
   */
  async function postInTurn(drafts: TransactionDraft[]): Promise<(Outcome | typeof HELD)[]> {
    try {
      return await postLocked(drafts, (tx, names) => ledgerStore.lockInTurn(tx, names));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return postFree(drafts);
    }
  }

  /**
   * Group commit: drafts that arrive while a batch commits form the next batch, so that a hundred concurrent transfers
   * cost a few commits instead of a hundred. Each is answered only after its own commit. A batch that cannot be posted
   * in one statement is posted under locks. If the database rejects it, which the rules should prevent, or one of its
   * requests was already processed, each draft is posted separately, so that only the faulty one fails.
   */
  async function postBatch(
    drafts: TransactionDraft[],
    { mayWait }: { mayWait: boolean },
  ): Promise<(Outcome | Error | typeof HELD)[]> {
    const posted = await atOnce.post(drafts);
    if (posted) return posted;
    try {
      return await (mayWait && isContended() ? postInTurn : postFree)(drafts);
    } catch (error) {
      if (drafts.length === 1 || !isRefused(error)) throw error;
      return separately(drafts, postAlone);
    }
  }

  const postAlone = async (draft: TransactionDraft): Promise<Outcome | Error | typeof HELD> => {
    try {
      return only(await postFree([draft]));
    } catch (error) {
      return error as Error;
    }
  };

  const firstTry = batching((drafts: TransactionDraft[]) => postBatch(drafts, { mayWait: true }), QUEUE);
  /** A separate queue for drafts whose account was locked, so that they never delay other drafts. */
  const nextTry = batching((drafts: TransactionDraft[]) => postBatch(drafts, { mayWait: false }), QUEUE);

  /**
   * Posts a draft, retrying while its accounts are locked. Holds no lock or connection between attempts, so that a
   * locked wallet delays only its own drafts.
   */
  async function post(draft: TransactionDraft): Promise<PostedTransaction> {
    const traced = {
      ...draft,
      admit: inThisTrace(draft.admit),
      also: inThisTrace(draft.also),
      announce: inThisTrace(draft.announce),
    };
    let outcome = await firstTry(traced);
    const lockedSinceMs = performance.now();
    for (let pauseMs = FIRST_PAUSE_MS; outcome === HELD; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      if (performance.now() - lockedSinceMs > MAX_HELD_MS) throw serviceUnavailable();
      await sleep(pauseMs);
      outcome = await nextTry(traced);
    }
    // A failure would have rejected, so the outcome is a posted transaction.
    return outcome as PostedTransaction;
  }

  async function postIn(tx: Transaction, draft: Omit<TransactionDraft, 'admit'>): Promise<PostedTransaction> {
    const accounts = await lock(tx, [draft]);
    atOnce.forget(accounts.keys());
    const [outcome] = await postAll(tx, [draft], accounts, (...write) => tx.execute(...write));
    if (outcome instanceof Failure) throw outcome;
    return outcome as PostedTransaction;
  }

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

/** Posts each draft by itself; those from one account follow one another, since they would find it locked. */
async function separately<T>(
  drafts: TransactionDraft[],
  post: (draft: TransactionDraft) => Promise<T>,
): Promise<T[]> {
  const outcomes: T[] = [];
  const turns = Map.groupBy(drafts.entries(), ([, { from }]) => from);
  const postInTurn = async (turn: [number, TransactionDraft][]): Promise<void> => {
    for (const [place, draft] of turn) outcomes[place] = await post(draft);
  };
  await Promise.all([...turns.values()].map(postInTurn));
  return outcomes;
}

const lock = (tx: Transaction, postings: Pick<Posting, 'from' | 'to'>[]): Promise<Accounts> =>
  ledgerStore.lock(tx, accountsOf(postings));
