import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import { type Identity, namedMemberOf, profileLookup } from '../../identity/contract.ts';
import type { Moderation } from '../../moderation/contract.ts';
import type { Gift, TransferDone, Wallet } from '../../wallet/contract.ts';
import { tipOneself } from '../failures.ts';

const SURFACE = 'educator';

interface TipDeps {
  wallet: Pick<Wallet, 'transfer' | 'gifts'>;
  identity: Pick<Identity, 'profilesOf'>;
  moderation: Pick<Moderation, 'mayApproach' | 'mayApproachIn'>;
}

/** Tips are gifts to educators in the ledger; they are not recorded elsewhere. */
export function tipRules({ wallet, identity, moderation }: TipDeps) {
  async function pageOf(userId: ObjectId, side: 'sent' | 'received', request: PageRequest) {
    const page: Page<Gift> = await wallet.gifts.pageOf({ userId, side, surface: SURFACE }, request);
    const otherOf = ({ fromUserId, toUserId }: Gift) => (side === 'sent' ? toUserId : fromUserId);
    const profileOf = await profileLookup(identity, page.items.map(otherOf));
    const items = page.items.map((gift) => ({
      transactionId: gift.transactionId,
      amount: gift.amount,
      educatorId: gift.toUserId,
      userId: gift.fromUserId,
      message: gift.message,
      createdAt: gift.createdAt,
      other: namedMemberOf(profileOf(otherOf(gift))),
    }));
    return { ...page, items };
  }

  async function totalsOf(userId: ObjectId, side: 'sent' | 'received') {
    const filter = { userId, side, surface: SURFACE } as const;
    const [page, keys] = await Promise.all([
      wallet.gifts.pageOf(filter, { page: 1, limit: 1 }),
      wallet.gifts.keysOf(filter),
    ]);
    return { tips: page.total, keys };
  }

  return {
    /** @throws tipOneself, blocked, and the wallet's failures */
    async tip(
      educatorId: ObjectId,
      { amount, message = '' }: { amount: number; message?: string },
      sender: UserCaller,
      idempotency: IdempotencyContext,
    ) {
      const { userId } = sender;
      if (educatorId === userId) throw tipOneself();
      // A tip carries a message, so blocks are checked. Most refusals happen here already, because a refusal in the
      // ledger makes its whole batch repeat.
      await moderation.mayApproach(educatorId, userId);
      const tipOf = ({ transactionId, at }: TransferDone) => ({
        transactionId,
        amount,
        educatorId,
        message,
        createdAt: at,
      });
      const done = await wallet.transfer({
        fromUserId: userId,
        sender,
        toUserId: educatorId,
        amount,
        description: message,
        metadata: { gift: true, surface: SURFACE },
        also: (tx) => moderation.mayApproachIn(tx, [educatorId], userId),
        answer: { idempotency, of: tipOf },
      });
      return tipOf(done);
    },
    pageOf,
    totalsOf,
  };
}

export type TipRules = ReturnType<typeof tipRules>;
