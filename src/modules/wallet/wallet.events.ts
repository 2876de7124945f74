import { eventKind } from '../../kernel/events.ts';
import type { ObjectId } from '../../kernel/ids.ts';

interface Moved {
  /** The transaction's own unique string. */
  transactionId: string;
  /** Keys. */
  amount: number;
}

interface OfUser extends Moved {
  userId: ObjectId;
}

/** Keys came into a wallet: bought, or given by an administrator. */
export const walletFunded = eventKind<OfUser & { source: 'checkout' | 'administrator'; balance: number }>(
  'wallet.funded',
);

/** Keys went from one member to another; a gift when it says so. */
export const walletTransferred = eventKind<
  Moved & {
    fromUserId: ObjectId;
    toUserId: ObjectId;
    description: string;
    gift: boolean;
    /** Where a gift was made: `livestream`, `educator`, `meeting`. */
    surface?: string;
  }
>('wallet.transferred');

/** Keys were put on hold, to be paid out. */
export const withdrawalRequested = eventKind<OfUser & { usdAmount: number }>('wallet.withdrawal-requested');

/** A withdrawal was paid out: its Keys are gone. */
export const walletWithdrawn = eventKind<OfUser>('wallet.withdrawn');

/** A withdrawal was not paid out: its Keys are back. */
export const withdrawalReturned = eventKind<OfUser & { outcome: 'failed' | 'cancelled'; reason: string }>(
  'wallet.withdrawal-returned',
);

/** A withdrawal that was paid out came back: so did its Keys. */
export const withdrawalReversed = eventKind<OfUser & { reason: string }>('wallet.withdrawal-reversed');

/**
 * Money of a purchase was refunded or disputed, and its Keys taken out of the wallet: `short` of them were not there
 * any more.
 */
export const walletRefunded = eventKind<OfUser & { short: number }>('wallet.refunded');

/** Keys that a dispute had taken are back, because it was won. */
export const walletRestored = eventKind<OfUser>('wallet.restored');

/** A new rate holds. */
export const exchangeRateChanged = eventKind<{ currency: string; rate: number }>(
  'wallet.exchange-rate-changed',
);
