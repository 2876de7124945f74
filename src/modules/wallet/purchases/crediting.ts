import type { Transaction } from '../../../kernel/database/queries.ts';
import { announcement, onInTransaction, type Subscription } from '../../../kernel/messaging/events.ts';
import { checkoutPaid } from '../../merchant/contract.ts';
import { walletFunded } from '../contract.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { ClosedWallets } from '../wallets/closed-wallets.ts';
import { KEYS_PURPOSE, type KeysOrder } from './purchases.model.ts';
import { purchaseStore } from './purchases.store.ts';

type Paid = NonNullable<(typeof checkoutPaid)['data']>;

interface CreditingDeps {
  ledger: Ledger;
  closed: Pick<ClosedWallets, 'received'>;
}

/** Credits Keys when they are paid for. */
export function creditingRules({ ledger, closed }: CreditingDeps): Subscription[] {
  /** Credits paid Keys, even to a locked wallet. The merchant publishes each payment once, in this transaction. */
  async function credit(tx: Transaction, { userId, sessionId, checkoutId, details }: Paid): Promise<void> {
    // The details that `buy` passed to the merchant, returned unchanged.
    const { keys, usdAmount, metadata } = details as unknown as KeysOrder;
    const posted = await ledger.postIn(tx, {
      type: 'fund',
      status: 'completed',
      from: 'issued',
      to: `wallet:${userId}`,
      fromUserId: null,
      toUserId: userId,
      amount: keys,
      description: 'Keys bought',
      metadata: { ...metadata, checkoutSessionId: sessionId, usdAmount },
      despiteLocks: true,
      announce: ({ id, to }) =>
        announcement(walletFunded, () => ({
          transactionId: transactionIdOf(id),
          userId,
          amount: keys,
          balance: to.balanceAfter,
          source: 'checkout',
        })),
    });
    await purchaseStore.insert(tx, { checkoutId, transactionId: posted.id, keys });
    // These Keys cannot be spent. An operator must refund the payment at the provider, which takes them back.
    await closed.received(tx, { userId, keys, posted, checkoutId });
  }

  return [
    onInTransaction(checkoutPaid, 'wallet', async ({ data }, tx) => {
      if (data.purpose === KEYS_PURPOSE) await credit(tx, data);
    }),
  ];
}
