import type { ObjectId } from '../../../kernel/ids.ts';

export interface Wallet {
  _id: ObjectId;
  userId: ObjectId;
  balance: number;
  balanceUSD: number;
  currency: 'Keys';
  isActive: boolean;
  locked: boolean;
  /** Present if the wallet is locked; empty without a reason. */
  lockedReason?: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface WalletFilter {
  locked?: boolean;
  isActive?: boolean;
}

/** Changes to the flags of a wallet; omitted ones keep their values. */
export interface WalletFlags {
  locked?: boolean;
  lockedReason?: string;
  isActive?: boolean;
}
