import { recentlyUsed } from '../../../kernel/concurrency/recently-used.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { isConflict } from '../../../kernel/database/faults.ts';
import { Failure } from '../../../kernel/failures.ts';
import type { NewId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import { accountsOf, applyDrafts, type Outcome, type TransactionDraft } from './drafts.ts';
import { isRefused } from './ledger.faults.ts';
import type { Accounts } from './ledger.model.ts';
import { ledgerStore } from './ledger.store.ts';
import type { AccountName, AccountState } from './postings.model.ts';

interface Deps {
  database: Database;
  events: Events;
  clock: Clock;
  newId: NewId;
  /** Maximum number of accounts to remember; 0 posts nothing this way. */
  maxRemembered: number;
}

/** Pause after a remembered state was stale: other processes post to the same accounts, and all would keep failing. */
const PAUSE_MS = 1_000;

/**
 * Posts batches of plain transfers in one statement, which is its own transaction: one round trip, instead of beginning,
 * locking, writing and committing. The states of the accounts are remembered from their last entry instead of being read
 * under locks, and the statement locks and compares them itself.
 *
 * This is sound because
 * - the statement writes everything or nothing: only if it could lock each account without waiting, each is unlocked and
 *   active, and the hash of its newest entry, which covers its whole history, equals the remembered one;
 * - remembered states are used only to accept drafts. A rejection could be due to a stale state, so rejected drafts are
 *   posted under locks;
 * - a repeated Idempotency-Key violates the key of its table, which rolls the statement back;
 * - a state is remembered only after the commit that made it; if the outcome of a statement is unknown, all are
 *   dropped.
 */
export function postingAtOnce({ database, events, clock, newId, maxRemembered }: Deps) {
  const remembered = recentlyUsed<AccountName, AccountState>(Math.max(1, maxRemembered));
  const batches = { posted: 0, stale: 0 };
  let pausedUntilMs = 0;
  const isPaused = (): boolean => performance.now() < pausedUntilMs;

  function remember(accounts: Accounts): void {
    if (maxRemembered === 0) return;
    for (const [name, account] of accounts) remembered.set(name, account);
  }

  function forget(names: Iterable<AccountName>): void {
    for (const name of names) remembered.delete(name);
  }

  /** Returns copies of the states, which the caller may change. */
  async function statesOf(names: Set<AccountName>): Promise<Accounts> {
    const accounts: Accounts = new Map();
    const missing: AccountName[] = [];
    for (const name of names) {
      const account = remembered.get(name);
      if (account) accounts.set(name, { ...account });
      else missing.push(name);
    }
    if (missing.length > 0)
      for (const [name, account] of await ledgerStore.read(database, missing)) accounts.set(name, account);
    return accounts;
  }

  async function post(drafts: TransactionDraft[]): Promise<Outcome[] | undefined> {
    if (maxRemembered === 0 || isPaused() || !drafts.every(isPlain)) return undefined;
    const names = accountsOf(drafts);
    const accounts = await statesOf(names);
    // The hashes before this batch, to compare with those in the database.
    const expected = [...accounts.values()].map(({ id, hash }) => ({ id, hash }));
    const granted = applyDrafts(drafts, accounts, { newId, nowMs: clock.now() });
    if (granted.outcomes.some((outcome) => outcome instanceof Failure)) return undefined;
    const outboxRows = events.outboxRows(
      granted.posted.flatMap(([{ announce }, posted]) => announce?.(posted) ?? []),
    );
    if (!outboxRows) return undefined;
    const responses = granted.posted.flatMap(
      ([{ answer }, posted]) => answer?.idempotency.record(() => answer.of(posted)) ?? [],
    );
    if (!(await isWritten(ledgerStore.writeAtOnce(granted, { expected, outboxRows, responses })))) {
      forget(names);
      batches.stale++;
      pausedUntilMs = performance.now() + PAUSE_MS;
      return undefined;
    }
    remember(accounts);
    batches.posted++;
    return granted.outcomes;
  }

  /** Returns whether the batch is committed; false if it certainly is not. */
  async function isWritten(write: ReturnType<typeof ledgerStore.writeAtOnce>): Promise<boolean> {
    try {
      return (await database.execute(...write)) > 0;
    } catch (error) {
      if (isRefused(error) || isConflict(error)) return false;
      remembered.clear();
      throw error;
    }
  }

  return {
    /**
     * Posts the drafts all together; returns undefined, having written nothing, if they must be posted under locks.
     * @throws when the outcome is unknown, such as after a lost connection
     */
    post,
    /** Stores the states of accounts after a committed transaction. */
    remember,
    /** Drops accounts to which a transaction posts by other means. */
    forget,
    /** Whether a remembered state was lately stale, because other processes post to the same accounts. */
    isPaused,
    batches: batches as Readonly<typeof batches>,
  };
}

export type PostingAtOnce = ReturnType<typeof postingAtOnce>;

/** Whether a draft is a transfer without writes other than those of {@link ledgerStore.writeAtOnce}. */
const isPlain = ({ type, status, admit, also, despiteLocks }: TransactionDraft): boolean =>
  type === 'transfer' && status === 'completed' && !admit && !also && !despiteLocks;
