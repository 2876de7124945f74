import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { type Announcement, announcement } from '../../../kernel/messaging/events.ts';
import type { RequestFacts, UserCaller } from '../../../kernel/operations/callers.ts';
import type { IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import { insufficientBalance, walletFunded, walletRefunded } from '../contract.ts';
import type { PostedTransaction, TransactionDraft } from '../ledger/drafts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AccountName } from '../ledger/postings.model.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { ClosedWallets } from '../wallets/closed-wallets.ts';

/** The movement of a correction: from whom, to whom, and how many Keys; null is the platform. */
interface Movement {
  fromUserId: ObjectId | null;
  toUserId: ObjectId | null;
  amount: number;
  allowPartial: boolean;
  description: string;
  metadata: Record<string, unknown>;
}

/** The administrator who makes a correction, and their request. */
export interface CorrectedBy {
  admin: UserCaller;
  facts: RequestFacts;
  idempotency: IdempotencyContext;
}

export interface Made {
  posted: PostedTransaction;
  draft: TransactionDraft;
  short: number;
}

const accountOf = (userId: ObjectId | null): AccountName => (userId === null ? 'issued' : `wallet:${userId}`);

/** Returns how corrections move Keys, in spite of locks. */
export const moving =
  (ledger: Ledger, closed: Pick<ClosedWallets, 'left'>) =>
  /** Moves as many as the wallet has, if less are allowed. @throws insufficientBalance */
  async (
    tx: Transaction,
    { fromUserId, toUserId, amount, allowPartial, description, metadata }: Movement,
    { also, ...rest }: Pick<TransactionDraft, 'answer'> & { also: (made: Made) => Promise<void> },
  ): Promise<Made> => {
    const sides = { from: accountOf(fromUserId), to: accountOf(toUserId) };
    const available = fromUserId === null ? amount : await ledger.balanceIn(tx, sides);
    const moved = Math.min(amount, available);
    if (moved === 0 || (moved < amount && !allowPartial)) throw insufficientBalance();
    const short = amount - moved;
    const draft: TransactionDraft = {
      ...sides,
      type: 'refund',
      status: 'completed',
      fromUserId,
      toUserId,
      amount: moved,
      description,
      metadata: { correction: true, ...metadata, ...(short > 0 ? { short } : {}) },
      despiteLocks: true,
      announce: (posted) => announcementsOf({ fromUserId, toUserId, amount: moved, short }, posted),
      ...rest,
      also: (_tx, posted) => also({ posted, draft, short }),
    };
    const posted = await ledger.postIn(tx, draft);
    if (fromUserId !== null) await closed.left(tx, fromUserId, posted);
    return { posted, draft, short };
  };

/** Returns an event for each member whose balance changes, so that the events of a wallet add up to its balance. */
function announcementsOf(
  {
    fromUserId,
    toUserId,
    amount,
    short,
  }: Pick<Movement, 'fromUserId' | 'toUserId' | 'amount'> & { short: number },
  { id, to }: PostedTransaction,
): Announcement[] {
  const moved = { transactionId: transactionIdOf(id), amount };
  const announced: Announcement[] = [];
  if (fromUserId !== null)
    announced.push(announcement(walletRefunded, () => ({ ...moved, userId: fromUserId, short })));
  if (toUserId !== null)
    announced.push(
      announcement(walletFunded, () => ({
        ...moved,
        userId: toUserId,
        balance: to.balanceAfter,
        source: 'correction',
      })),
    );
  return announced;
}

export type Move = ReturnType<typeof moving>;
