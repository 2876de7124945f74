import { setTimeout as sleep } from 'node:timers/promises';
import { batching } from '../../../kernel/concurrency/batching.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { LOCK_TIMEOUT_MS } from '../../../kernel/database/pooler.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import { only } from '../../../kernel/only.ts';
import { inThisTrace } from '../../../kernel/trace.ts';
import { admissionsOf, HELD, isLockTimeout } from './admission.ts';
import { accountsOf, type Outcome, type PostedTransaction, type TransactionDraft } from './drafts.ts';
import { isRefused } from './ledger.faults.ts';
import type { Accounts } from './ledger.model.ts';
import { ledgerStore, type Write } from './ledger.store.ts';
import type { PostingAtOnce } from './posting-at-once.ts';

interface Deps {
  database: Database;
  atOnce: PostingAtOnce;
  /** Posts drafts whose accounts are locked. */
  postAll: (
    tx: Transaction,
    drafts: TransactionDraft[],
    accounts: Accounts,
    write: (...write: Write) => unknown,
  ) => Promise<Outcome[]>;
}

/** How long a draft waits for a locked account or member. */
const MAX_HELD_MS = LOCK_TIMEOUT_MS;
/** For how long batches wait for their turn once they have met one of another process. */
const CONTENDED_MS = 1_000;
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 25;
const QUEUE = { maxSize: 100, concurrency: 1, maxQueued: 5_000, onOverflow: serviceUnavailable };

/**
 * Returns a function that moves Keys and records the transaction, together with what others post at that moment. It
 * resolves once the transaction is committed.
 */
export function groupCommit({ database, atOnce, postAll }: Deps) {
  let heldAtMs = Number.NEGATIVE_INFINITY;
  /** Whether other processes have lately posted to the same accounts. */
  const isContended = (): boolean => atOnce.isPaused() || performance.now() - heldAtMs < CONTENDED_MS;

  /**
   * Posts the drafts that are admitted and whose accounts are free, in one transaction, without waiting for locks.
   * @param begin what the transaction does first; it may add drafts
   */
  async function postFree(
    drafts: TransactionDraft[],
    begin?: (tx: Transaction) => Promise<void>,
  ): Promise<(Outcome | typeof HELD)[]> {
    const [outcomes, left] = await database.transaction(async (tx) => {
      await begin?.(tx);
      const admissions = await admissionsOf(tx, drafts);
      const admitted = drafts.filter((_, place) => admissions[place] === undefined);
      const { accounts, held } = await ledgerStore.lockFree(tx, accountsOf(admitted));
      const refusals = drafts.map(
        ({ from, to }, place) => admissions[place] ?? (held.has(from) || held.has(to) ? HELD : undefined),
      );
      const granted = drafts.filter((_, place) => refusals[place] === undefined);
      // The last statement of its transaction, sent together with the commit.
      const posted = await postAll(tx, granted, accounts, (...write) => tx.send(...write));
      return [refusals.map((refusal) => refusal ?? (posted.shift() as Outcome)), accounts] as const;
    });
    atOnce.remember(left);
    if (outcomes.includes(HELD)) heldAtMs = performance.now();
    return outcomes;
  }

  /**
   * Posts drafts when other processes post to the same accounts: waits for their batches, so that these follow one another
   * without refusing each other, and takes along what has arrived meanwhile, which makes them fewer.
   * @param more returns what has arrived; its outcomes follow those of the drafts
   */
  async function postInTurn(
    drafts: TransactionDraft[],
    more: () => TransactionDraft[],
  ): Promise<(Outcome | typeof HELD)[]> {
    try {
      return await postFree(drafts, async (tx) => {
        await ledgerStore.takeTurn(tx);
        drafts.push(...more());
      });
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
   * @param more as {@link batching} calls it
   */
  async function postBatch(
    drafts: TransactionDraft[],
    more: () => TransactionDraft[],
  ): Promise<(Outcome | Error | typeof HELD)[]> {
    const posted = await atOnce.post(drafts);
    if (posted) return posted;
    try {
      return await (isContended() ? postInTurn(drafts, more) : postFree(drafts));
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

  const firstTry = batching(postBatch, QUEUE);
  /** A separate queue for drafts whose account was locked, so that they never delay other drafts. */
  const nextTry = batching(postBatch, QUEUE);

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

  return post;
}

/** Posts each draft by itself; those from one account follow one another, since they would find it locked. */
async function separately<T>(
  drafts: TransactionDraft[],
  post: (draft: TransactionDraft) => Promise<T>,
): Promise<T[]> {
  const outcomes: T[] = [];
  const turns = Map.groupBy(drafts.entries(), ([, { from }]) => from);
  const postOneByOne = async (turn: [number, TransactionDraft][]): Promise<void> => {
    for (const [place, draft] of turn) outcomes[place] = await post(draft);
  };
  await Promise.all([...turns.values()].map(postOneByOne));
  return outcomes;
}
