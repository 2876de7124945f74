import type { Audit } from '../../kernel/audit.ts';
import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { RequestFacts, UserCaller } from '../../kernel/operations/callers.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time.ts';
import type { PostedTransaction } from './ledger.ts';
import { transactionIdOf } from './transactions.store.ts';
import type { WalletRules } from './wallets.ts';

export const transferToOneself = failure(400, 'TRANSFER_TO_ONESELF', 'Cannot transfer to your own wallet');

export interface Transfer {
  toUserId: ObjectId;
  amount: number;
  description?: string;
  metadata?: Record<string, unknown>;
}

export interface AdminFunding {
  userId: ObjectId;
  amount: number;
  description?: string;
  metadata?: Record<string, unknown>;
}

interface TransferNeeds {
  wallets: WalletRules;
  audit: Audit;
  clock: Clock;
}

export function transferRules({ wallets, audit, clock }: TransferNeeds) {
  return {
    /**
     * Moves Keys from one member to another, at once and for good.
     * @throws transferToOneself, userNotFound, and what the ledger refuses
     */
    async transfer(fromUserId: ObjectId, transfer: Transfer): Promise<PostedTransaction> {
      const { toUserId, amount, description = '', metadata = {} } = transfer;
      if (toUserId === fromUserId) throw transferToOneself();
      return wallets.postTo(toUserId, {
        type: 'transfer',
        status: 'completed',
        from: `wallet:${fromUserId}`,
        to: `wallet:${toUserId}`,
        fromUserId,
        toUserId,
        amount,
        description,
        metadata,
      });
    },

    /**
     * Puts new Keys into a member's wallet. Who did it stands in the metadata, whatever the request said there, and
     * in the audit log.
     * @throws userNotFound, and what the ledger refuses
     */
    async fundAsAdmin(funding: AdminFunding, admin: UserCaller, facts: RequestFacts) {
      const { userId, amount, description = '', metadata } = funding;
      const stamped = {
        ...metadata,
        adminId: admin.userId,
        adminEmail: admin.email,
        manualFunding: true,
        fundedAt: new Date(clock.now()).toISOString(),
      };
      const posted = await wallets.postTo(userId, {
        type: 'fund',
        status: 'completed',
        from: 'issued',
        to: `wallet:${userId}`,
        fromUserId: null,
        toUserId: userId,
        amount,
        description,
        metadata: stamped,
        also: (tx, id) =>
          audit.record(tx, {
            ...actorOf(admin, facts),
            action: 'wallet.funded',
            target: userId,
            details: { amount, description, transactionId: transactionIdOf(id) },
          }),
      });
      return { ...posted, metadata: stamped, description, wallet: await wallets.ofUser(userId) };
    },
  };
}

export type TransferRules = ReturnType<typeof transferRules>;
