import type { Database } from '../../kernel/database/database.ts';
import { codeOf } from '../../kernel/database/faults.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { Failure, serviceUnavailable } from '../../kernel/failures.ts';
import { gather } from '../../kernel/gather.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';
import { ledgerStore, type PostingRecord } from './ledger.store.ts';
import { type AccountName, type Movement, move, type Posting } from './postings.ts';
import type { TransactionRecord } from './transactions.store.ts';

/** A movement of Keys to be recorded as a transaction. */
export interface TransactionDraft extends Posting, Omit<TransactionRecord, 'id'> {
  /** Written in the same transaction, such as an audit entry or an event. */
  also?: (tx: Transaction, transactionId: ObjectId) => Promise<void>;
}

export interface PostedTransaction extends Movement {
  id: ObjectId;
  at: Date;
}

interface LedgerNeeds {
  database: Database;
  clock: Clock;
  newId: NewId;
}

type Outcome = PostedTransaction | Failure;

export function ledger({ database, clock, newId }: LedgerNeeds) {
  /**
   * The simple path, for any number of drafts: lock the accounts in order, let each draft move what it may, write
   * what was granted, commit. One refused draft does not touch the others.
   */
  async function postAll(drafts: TransactionDraft[]): Promise<Outcome[]> {
    return database.transaction(async (tx) => {
      const names = new Set<AccountName>(drafts.flatMap(({ from, to }) => [from, to]));
      const accounts = await ledgerStore.lock(tx, names);
      const at = latest(clock.now(), [...accounts.values()]);
      const records: PostingRecord[] = [];
      const outcomes = drafts.map((draft): Outcome => {
        const moved = move(accounts, draft);
        if (moved instanceof Failure) return moved;
        const id = newId();
        records.push({ ...draft, id, entries: [moved.from, moved.to] });
        return { ...moved, id, at };
      });
      for (const [place, { also }] of drafts.entries()) {
        const outcome = outcomes[place] as Outcome;
        if (also && !(outcome instanceof Failure)) await also(tx, outcome.id);
      }
      if (records.length > 0) ledgerStore.write(tx, records, at);
      return outcomes;
    });
  }

  /**
   * Group commit: drafts that arrive while a batch commits become the next batch, so that a hundred concurrent
   * transfers cost a few commits instead of a hundred, and none is answered before its own. Should the database
   * refuse a batch, which the rules mean to make impossible, each draft goes by itself and only the culprit fails.
   */
  const post = gather<TransactionDraft, PostedTransaction>(
    async (drafts) => {
      try {
        return await postAll(drafts);
      } catch (error) {
        if (drafts.length === 1 || !isRefused(error)) throw error;
        return Promise.all(drafts.map(postAlone));
      }
    },
    { most: 100, lanes: 1, waiting: 5_000, overflow: serviceUnavailable },
  );

  async function postAlone(draft: TransactionDraft): Promise<Outcome> {
    try {
      return (await postAll([draft]))[0] as Outcome;
    } catch (cause) {
      return new Failure(500, 'INTERNAL_ERROR', 'Internal server error', { cause });
    }
  }

  return {
    /**
     * Moves Keys and records the transaction; resolves once it is committed.
     * @throws the failures of {@link move}
     */
    post,
  };
}

export type Ledger = ReturnType<typeof ledger>;

/** Of one account the entries' order is their order in time, whatever the clocks of several machines say. */
function latest(nowMs: number, accounts: { updatedAt: Date }[]): Date {
  return new Date(Math.max(nowMs, ...accounts.map(({ updatedAt }) => updatedAt.getTime())));
}

/** Integrity constraints and raised exceptions: certainly rolled back, unlike a connection lost at commit. */
const isRefused = (error: unknown): boolean => /^(23|P0)/.test(codeOf(error) ?? '');
