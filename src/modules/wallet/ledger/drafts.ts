import type { Transaction } from '../../../kernel/database/queries.ts';
import { Failure } from '../../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Announcement } from '../../../kernel/messaging/events.ts';
import type { RecordedAnswer } from '../../../kernel/records/idempotency.ts';
import type { Accounts, NewTransaction, PostedMovement } from './ledger.model.ts';
import { entryHash, transactionDigest } from './ledger-hashes.ts';
import type { AccountName, Movement, Posting } from './postings.model.ts';
import { type Chain, move } from './postings.ts';
import type { TransactionRecord } from './transactions.model.ts';

/** A movement of Keys to record as a transaction, and the writes that commit with it. */
export interface TransactionDraft extends Posting, Omit<TransactionRecord, 'id'> {
  /**
   * Checks that lock members or sessions, made in the same transaction before the accounts are locked: whoever locks both
   * does so in this order.
   */
  admit?: (tx: Transaction) => Promise<void>;
  /**
   * Additional writes in the same transaction, such as an audit entry. They run one draft after another, before the
   * transactions of the batch are written: a query of the ledger does not see this transaction, nor others of its batch.
   */
  also?: (tx: Transaction, posted: PostedTransaction) => Promise<void>;
  /** The event to publish to other modules, or those of both sides. */
  announce?: (posted: PostedTransaction) => Announcement | Announcement[];
  /** The response to record if the request carries an Idempotency-Key. */
  answer?: RecordedAnswer<PostedTransaction>;
}

export interface PostedTransaction extends Movement {
  id: ObjectId;
  at: Date;
}

export type Outcome = PostedTransaction | Failure;

/** The outcome of each draft, and the rows to write for the accepted ones. */
export interface AppliedDrafts {
  outcomes: Outcome[];
  posted: [TransactionDraft, PostedTransaction][];
  transactions: NewTransaction[];
  movements: PostedMovement[];
  at: Date;
}

/**
 * Applies drafts in sequence to the states of their accounts, which it changes. A rejected draft does not affect the
 * others.
 */
export function applyDrafts(
  drafts: TransactionDraft[],
  accounts: Accounts,
  { newId, nowMs }: { newId: NewId; nowMs: number },
): AppliedDrafts {
  const at = latest(nowMs, [...accounts.values()]);
  const granted: AppliedDrafts = { outcomes: [], posted: [], transactions: [], movements: [], at };
  for (const draft of drafts) {
    const id = newId();
    const transaction = { ...draft, id, metadata: JSON.stringify(draft.metadata) };
    const moved = move(accounts, draft, chain(transactionDigest(transaction, transaction.metadata, at), at));
    granted.outcomes.push(moved instanceof Failure ? moved : { ...moved, id, at });
    if (moved instanceof Failure) continue;
    granted.transactions.push(transaction);
    granted.movements.push({ ...moved, transactionId: id, type: draft.type });
    granted.posted.push([draft, { ...moved, id, at }]);
  }
  for (const [{ from, to }] of granted.posted) {
    for (const account of [accounts.get(from), accounts.get(to)]) if (account) account.updatedAt = at;
  }
  return granted;
}

export const accountsOf = (postings: Pick<Posting, 'from' | 'to'>[]): Set<AccountName> =>
  new Set(postings.flatMap(({ from, to }) => [from, to]));

export const chain =
  (digest: string, at: Date): Chain =>
  (previous, entry) =>
    entryHash(previous, digest, entry, at);

/**
 * Returns the time of a posting: not before the latest entry of its accounts, even if the clocks of several machines
 * differ.
 */
export function latest(nowMs: number, accounts: { updatedAt: Date }[]): Date {
  return new Date(Math.max(nowMs, ...accounts.map(({ updatedAt }) => updatedAt.getTime())));
}
