import type { Transaction } from '../../../kernel/database/queries.ts';
import { failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { announcement } from '../../../kernel/messaging/events.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import type { StepUp } from '../../../kernel/operations/step-up.ts';
import type { Audit } from '../../../kernel/records/audit.ts';
import type { IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import { type MemberTransfer, type TransferDone, walletFunded, walletTransferred } from '../contract.ts';
import { GRANTED_UP_TO, MAX_ISSUED_AT_ONCE, tooManyAtOnce } from '../ledger/circulation.ts';
import type { PostedTransaction } from '../ledger/drafts.ts';
import { recordOf } from '../ledger/posted-records.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { WalletRules } from '../wallets/wallets.ts';

export const transferToOneself = failure(400, 'TRANSFER_TO_ONESELF', 'Cannot transfer to your own wallet');

interface Transfer {
  toUserId: ObjectId;
  amount: number;
  description?: string;
  metadata?: Record<string, unknown>;
}

interface AdminFunding {
  userId: ObjectId;
  amount: number;
  description?: string;
  metadata?: Record<string, unknown>;
}

interface TransferDeps {
  wallets: WalletRules;
  stepUp: StepUp;
  /** @throws blocked if the recipient has blocked the sender */
  mayApproach: (recipientId: ObjectId, senderId: ObjectId) => Promise<void>;
  audit: Audit;
  clock: Clock;
}

/** Returns a draft that moves Keys from one member to another and announces it. */
const movementOf = ({
  fromUserId,
  toUserId,
  amount,
  description,
  metadata,
}: Omit<MemberTransfer, 'admit' | 'also' | 'answer' | 'sender'>) => ({
  type: 'transfer' as const,
  status: 'completed' as const,
  from: `wallet:${fromUserId}` as const,
  to: `wallet:${toUserId}` as const,
  fromUserId,
  toUserId,
  amount,
  description,
  metadata,
  announce: ({ id }: PostedTransaction) =>
    announcement(walletTransferred, () => {
      const { gift, surface } = metadata;
      return {
        transactionId: transactionIdOf(id),
        amount,
        fromUserId,
        toUserId,
        description,
        gift: gift === true,
        surface: gift === true && typeof surface === 'string' ? surface : undefined,
      };
    }),
});

export function transferRules({ wallets, stepUp, mayApproach, audit, clock }: TransferDeps) {
  /** The additions to the transaction of a payment by a member with a second factor. */
  const guarded = (
    sender: UserCaller | undefined,
    amount: number,
  ): { admit?: (tx: Transaction) => Promise<void>; also?: (tx: Transaction) => Promise<void> } =>
    sender?.hasFactor
      ? {
          admit: (tx) => stepUp.hold(tx, sender),
          also: (tx) => stepUp.admitPayment(tx, sender, amount),
        }
      : {};

  return {
    /**
     * Moves Keys from one member to another, immediately and irrevocably. A description or metadata is a message to the
     * recipient, subject to blocks.
     * @throws transferToOneself, blocked, stepUpRequired, userNotFound, and the failures of the ledger
     */
    async transfer(sender: UserCaller, transfer: Transfer, idempotency: IdempotencyContext) {
      const { toUserId, amount, description = '', metadata = {} } = transfer;
      const { userId: fromUserId } = sender;
      if (toUserId === fromUserId) throw transferToOneself();
      await stepUp.mayPay(sender, amount);
      if (description !== '' || Object.keys(metadata).length > 0) await mayApproach(toUserId, fromUserId);
      const resultOf = ({ id, from, to }: PostedTransaction) => ({
        fromWallet: { userId: fromUserId, balance: from.balanceAfter },
        toWallet: { userId: toUserId, balance: to.balanceAfter },
        transaction: {
          transactionId: transactionIdOf(id),
          type: 'transfer' as const,
          amount,
          status: 'completed' as const,
        },
      });
      const posted = await wallets.postTo(toUserId, {
        ...movementOf({ fromUserId, toUserId, amount, description, metadata }),
        ...guarded(sender, amount),
        answer: { idempotency, of: resultOf },
      });
      return resultOf(posted);
    },

    /**
     * Moves Keys from one member to another on behalf of another module, together with that module's own writes.
     * @throws transferToOneself, stepUpRequired, userNotFound, the failures of the ledger, and the errors of `also`
     */
    async transferFor({ admit, also, answer, sender, ...movement }: MemberTransfer): Promise<TransferDone> {
      const { fromUserId, toUserId, amount } = movement;
      if (toUserId === fromUserId) throw transferToOneself();
      if (sender) await stepUp.mayPay(sender, amount);
      const guard = guarded(sender, amount);
      const admits = async (tx: Transaction) => {
        await admit?.(tx);
        await guard.admit?.(tx);
      };
      const writes = async (tx: Transaction, { id }: PostedTransaction) => {
        await guard.also?.(tx);
        await also?.(tx, { transactionId: transactionIdOf(id) });
      };
      const doneOf = ({ id, at }: PostedTransaction) => ({ transactionId: transactionIdOf(id), at });
      const posted = await wallets.postTo(toUserId, {
        ...movementOf(movement),
        admit: guard.admit || admit ? admits : undefined,
        also: guard.also || also ? writes : undefined,
        answer: answer && { idempotency: answer.idempotency, of: (done) => answer.of(doneOf(done)) },
      });
      return doneOf(posted);
    },

    /**
     * Adds new Keys to a member's wallet. Records the administrator in the metadata, overriding the request's, and in
     * the audit log.
     * @throws tooManyAtOnce, circulationLimitExceeded, stepUpRequired, userNotFound, and the failures of the ledger
     */
    async fundAsAdmin(
      funding: AdminFunding,
      admin: UserCaller,
      facts: RequestFacts,
      idempotency: IdempotencyContext,
    ) {
      const { userId, amount, description = '', metadata } = funding;
      if (amount > MAX_ISSUED_AT_ONCE) throw tooManyAtOnce();
      const stamp = {
        adminId: admin.userId,
        adminEmail: admin.email,
        manualFunding: true,
        fundedAt: new Date(clock.now()).toISOString(),
      };
      const record = {
        type: 'fund' as const,
        status: 'completed' as const,
        fromUserId: null,
        toUserId: userId,
        amount,
        description,
        metadata: { ...metadata, ...stamp },
      };
      const resultOf = (posted: PostedTransaction) => ({
        // A locked or inactive wallet would have been rejected.
        wallet: {
          _id: posted.to.accountId,
          userId,
          balance: posted.to.balanceAfter,
          currency: 'Keys' as const,
          isActive: true,
          locked: false,
        },
        transaction: recordOf(record, posted),
        transactionId: posted.id,
      });
      const posted = await wallets.postTo(userId, {
        ...record,
        from: 'issued',
        to: `wallet:${userId}`,
        circulationUpTo: GRANTED_UP_TO,
        admit: (tx) => stepUp.mustHaveSteppedUp(tx, admin),
        also: async (tx, { id }) => {
          await audit.record(tx, {
            ...actorOf(admin, facts),
            action: 'wallet.funded',
            target: userId,
            details: { amount, description, transactionId: transactionIdOf(id), ...stamp },
          });
        },
        announce: ({ id, to }) =>
          announcement(walletFunded, () => ({
            transactionId: transactionIdOf(id),
            userId,
            amount,
            balance: to.balanceAfter,
            source: 'administrator',
          })),
        answer: { idempotency, of: resultOf },
      });
      return resultOf(posted);
    },
  };
}

export type TransferRules = ReturnType<typeof transferRules>;
