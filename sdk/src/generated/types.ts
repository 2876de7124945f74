// Written by `npm run sdk` from the operations of the platform: change those instead.

// What the SDK takes and gives: as on the wire, but for a few schemas whose fields have other names there.
export type * from './wire.ts';
import type * as wire from './wire.ts';

export interface Account {
  id: wire.ObjectId;
  email: string;
  /** Empty if the account was deleted */
  username: string;
  firstName: string;
  lastName: string;
  customerId: string | null;
  permissions: string[];
  isActive: boolean;
  createdAt: wire.DateTime;
  updatedAt: wire.DateTime;
  /** Empty if the account was deleted */
  name: string;
  avatar: string | null;
  isEducator: boolean;
  educatorTitle?: string;
  educatorBio?: string;
  bannerImage?: wire.HttpUrl | null;
  profileImage?: wire.HttpUrl | null;
  rankBadgeUrl?: wire.HttpUrl | null;
  specialty?: string;
  skills?: string[];
  /** Replaced as a whole */
  socials?: {
    website?: wire.HttpUrl;
    twitter?: wire.HttpUrl;
    youtube?: wire.HttpUrl;
    linkedin?: wire.HttpUrl;
    instagram?: wire.HttpUrl;
    [name: string]: unknown;
  };
}

export interface AdminFundingResult {
  wallet: {
    id: wire.ObjectId;
    userId: wire.ObjectId;
    /** A number of Keys */
    balance: number;
    currency: 'Keys';
    isActive: boolean;
    locked: boolean;
  };
  transaction: {
    id: wire.ObjectId;
    transactionId: string;
    fromUserId: wire.ObjectId | null;
    toUserId: wire.ObjectId | null;
    /** A number of Keys */
    amount: number;
    currency: 'Keys';
    type: 'fund' | 'transfer' | 'withdrawal' | 'refund';
    status: 'pending' | 'completed' | 'failed' | 'cancelled';
    description: string;
    /** Arbitrary key-value pairs, at most 16 KiB of JSON */
    metadata: Record<string, unknown>;
    createdAt: wire.DateTime;
    processedAt: wire.DateTime | null;
  };
  /** The record's `_id` */
  transactionId: string;
}

export interface DebitResult {
  wallet: {
    id: wire.ObjectId;
    userId: wire.ObjectId;
    /** A number of Keys */
    balance: number;
    currency: 'Keys';
    isActive: boolean;
    locked: boolean;
  };
  transaction: {
    id: wire.ObjectId;
    transactionId: string;
    fromUserId: wire.ObjectId | null;
    toUserId: wire.ObjectId | null;
    /** A number of Keys */
    amount: number;
    currency: 'Keys';
    type: 'fund' | 'transfer' | 'withdrawal' | 'refund';
    status: 'pending' | 'completed' | 'failed' | 'cancelled';
    description: string;
    /** Arbitrary key-value pairs, at most 16 KiB of JSON */
    metadata: Record<string, unknown>;
    createdAt: wire.DateTime;
    processedAt: wire.DateTime | null;
  };
  /** Keys that the wallet no longer had */
  short: number;
}

export interface Educator {
  id: wire.ObjectId;
  /** Empty if the account was deleted */
  name: string;
  /** Empty if the account was deleted */
  username: string;
  avatar: string | null;
  isEducator: boolean;
  firstName: string;
  lastName: string;
  /** Null if this installation hides e-mail addresses from members */
  email: string | null;
  /** The same as `avatar` */
  profileImage: string | null;
  rankBadgeUrl: string | null;
  educatorTitle: string | null;
  educatorBio: string | null;
  bannerImage: string | null;
  /** Smaller copies of uploaded pictures; null for other pictures */
  pictureSizes: {
    profileImage: wire.PictureLinks;
    bannerImage: wire.PictureLinks;
  };
  specialty: string | null;
  skills: string[];
  socials: Record<string, string>;
  /** Number of followers */
  subscriberCount: number;
  /** The same number as `subscriberCount` */
  followerCount: number;
  /** Number of published courses */
  courseCount: number;
  /** The mean of all ratings of their courses; 0 without ratings */
  rating: number;
  permissions: string[];
  isVerified: boolean;
  featured: boolean;
  createdAt: wire.DateTime;
  updatedAt: wire.DateTime;
}

export interface ExchangeRate {
  id: wire.ObjectId;
  /** The value of one Key */
  rate: number;
  /** ISO 4217 */
  currency: string;
  isActive: boolean;
  effectiveFrom: wire.DateTime;
  effectiveTo: wire.DateTime | null;
  updatedBy: {
    email: string;
  };
  notes: string;
}

export interface FollowedEducator {
  id: wire.ObjectId;
  /** Empty if the account was deleted */
  name: string;
  /** Empty if the account was deleted */
  username: string;
  avatar: string | null;
  isEducator: boolean;
  firstName: string;
  lastName: string;
  /** Null if this installation hides e-mail addresses from members */
  email: string | null;
  /** The same as `avatar` */
  profileImage: string | null;
  rankBadgeUrl: string | null;
  educatorTitle: string | null;
  educatorBio: string | null;
  bannerImage: string | null;
  /** Smaller copies of uploaded pictures; null for other pictures */
  pictureSizes: {
    profileImage: wire.PictureLinks;
    bannerImage: wire.PictureLinks;
  };
  specialty: string | null;
  skills: string[];
  socials: Record<string, string>;
  /** Number of followers */
  subscriberCount: number;
  /** The same number as `subscriberCount` */
  followerCount: number;
  /** Number of published courses */
  courseCount: number;
  /** The mean of all ratings of their courses; 0 without ratings */
  rating: number;
  permissions: string[];
  isVerified: boolean;
  featured: boolean;
  createdAt: wire.DateTime;
  updatedAt: wire.DateTime;
  followedAt: wire.DateTime;
}

export interface InspectedWallet {
  id: wire.ObjectId;
  userId: wire.ObjectId;
  /** A number of Keys */
  balance: number;
  balanceUSD: number;
  currency: 'Keys';
  isActive: boolean;
  locked: boolean;
  /** Present only if locked */
  lockedReason?: string;
  createdAt: wire.DateTime;
  updatedAt: wire.DateTime;
  /** The owner; null if the member was deleted */
  owner: {
    userId: wire.ObjectId;
    email: string;
    firstName: string;
    lastName: string;
  } | null;
  /** Keys held by pending withdrawals */
  heldKeys: number;
  /** The 100 newest */
  pendingWithdrawals: Withdrawal[];
}

export interface ListedAccount {
  id: wire.ObjectId;
  email: string;
  /** Empty if the account was deleted */
  username: string;
  firstName: string;
  lastName: string;
  customerId: string | null;
  permissions: string[];
  isActive: boolean;
  createdAt: wire.DateTime;
  updatedAt: wire.DateTime;
  /** Empty if the account was deleted */
  name: string;
  avatar: string | null;
  isEducator: boolean;
  educatorTitle?: string;
  educatorBio?: string;
  bannerImage?: wire.HttpUrl | null;
  profileImage?: wire.HttpUrl | null;
  rankBadgeUrl?: wire.HttpUrl | null;
  specialty?: string;
  skills?: string[];
  /** Replaced as a whole */
  socials?: {
    website?: wire.HttpUrl;
    twitter?: wire.HttpUrl;
    youtube?: wire.HttpUrl;
    linkedin?: wire.HttpUrl;
    instagram?: wire.HttpUrl;
    [name: string]: unknown;
  };
  /** Keys; null without a wallet */
  balance: number | null;
  lastSeenAt: wire.DateTime | null;
  /** What they have bought, at most 20 */
  skus: string[];
}

/** A wallet and its owner */
export interface OwnedWallet {
  id: wire.ObjectId;
  userId: wire.ObjectId;
  /** A number of Keys */
  balance: number;
  balanceUSD: number;
  currency: 'Keys';
  isActive: boolean;
  locked: boolean;
  /** Present only if locked */
  lockedReason?: string;
  createdAt: wire.DateTime;
  updatedAt: wire.DateTime;
  /** The owner; null if the member was deleted */
  owner: {
    userId: wire.ObjectId;
    email: string;
    firstName: string;
    lastName: string;
  } | null;
}

/** A withdrawal and its owner */
export interface OwnedWithdrawal {
  id: wire.ObjectId;
  transactionId: string;
  userId: wire.ObjectId;
  /** A number of Keys */
  amount: number;
  currency: 'Keys';
  type: 'withdrawal';
  status: 'pending' | 'completed' | 'failed' | 'cancelled';
  description: string;
  /** Arbitrary key-value pairs, at most 16 KiB of JSON */
  metadata: Record<string, unknown>;
  createdAt: wire.DateTime;
  processedAt: wire.DateTime | null;
  /** The owner; null if the member was deleted */
  owner: {
    userId: wire.ObjectId;
    email: string;
    firstName: string;
    lastName: string;
  } | null;
}

export interface Purchase {
  id: wire.ObjectId;
  sku: string;
  productName: string;
  lastPurchasedDate: wire.DateTime;
  createdAt: wire.DateTime;
}

export interface ReceiveIndicatorAccessBody {
  /** The customer id of the account; also as `customerId` */
  customerId?: string | null;
  action?: 'grant' | 'revoke';
  /** Required for `grant` if no charting username is on record; also as `chartingUsername` */
  chartingUsername?: string | null;
  /** The id of the event. A repeated event is answered again but takes effect once */
  eventId?: string | null;
  /** The time of the event; ISO 8601. Events older than one received before are ignored */
  occurredAt?: string | null;
  [name: string]: unknown;
}

export interface RecordPurchaseBody {
  sku: string;
  productName: string;
  lastPurchasedDate: string;
  reason?: wire.Reason;
}

export interface RecordedPurchase {
  id: wire.ObjectId;
  sku: string;
  productName: string;
  lastPurchasedDate: wire.DateTime;
  createdAt: wire.DateTime;
  /** Why the purchase has no effect; null if it opens a platform */
  warning: string | null;
}

export interface ReversalResult {
  transaction: {
    id: wire.ObjectId;
    transactionId: string;
    fromUserId: wire.ObjectId | null;
    toUserId: wire.ObjectId | null;
    /** A number of Keys */
    amount: number;
    currency: 'Keys';
    type: 'fund' | 'transfer' | 'withdrawal' | 'refund';
    status: 'pending' | 'completed' | 'failed' | 'cancelled';
    description: string;
    /** Arbitrary key-value pairs, at most 16 KiB of JSON */
    metadata: Record<string, unknown>;
    createdAt: wire.DateTime;
    processedAt: wire.DateTime | null;
  };
  reversedTransactionId: string;
  /** Keys that the wallet no longer had */
  short: number;
}

export interface UpdateEducatorProfileBody {
  educatorTitle?: string;
  /** At most 2000 characters */
  educatorBio?: string;
  bannerImage?: wire.HttpUrl | null;
  profileImage?: wire.HttpUrl | null;
  specialty?: string;
  skills?: string[];
  /** Replaced as a whole */
  socials?: {
    website?: wire.HttpUrl;
    twitter?: wire.HttpUrl;
    youtube?: wire.HttpUrl;
    linkedin?: wire.HttpUrl;
    instagram?: wire.HttpUrl;
    [name: string]: unknown;
  };
  firstName?: string;
  lastName?: string;
}

export interface UpdateUserBody {
  email?: string;
  /** Lower-case letters, digits, dots, hyphens and underscores */
  username?: string;
  firstName?: string;
  lastName?: string;
  customerId?: string | null;
  isActive?: boolean;
  educatorTitle?: string;
  educatorBio?: string;
  bannerImage?: wire.HttpUrl | null;
  profileImage?: wire.HttpUrl | null;
  rankBadgeUrl?: wire.HttpUrl | null;
  specialty?: string;
  skills?: string[];
  /** Replaced as a whole */
  socials?: {
    website?: wire.HttpUrl;
    twitter?: wire.HttpUrl;
    youtube?: wire.HttpUrl;
    linkedin?: wire.HttpUrl;
    instagram?: wire.HttpUrl;
    [name: string]: unknown;
  };
  reason?: wire.Reason;
}

export interface UpdateUserDeprecatedBody {
  email?: string;
  /** Lower-case letters, digits, dots, hyphens and underscores */
  username?: string;
  firstName?: string;
  lastName?: string;
  customerId?: string | null;
  isActive?: boolean;
  educatorTitle?: string;
  educatorBio?: string;
  bannerImage?: wire.HttpUrl | null;
  profileImage?: wire.HttpUrl | null;
  rankBadgeUrl?: wire.HttpUrl | null;
  specialty?: string;
  skills?: string[];
  /** Replaced as a whole */
  socials?: {
    website?: wire.HttpUrl;
    twitter?: wire.HttpUrl;
    youtube?: wire.HttpUrl;
    linkedin?: wire.HttpUrl;
    instagram?: wire.HttpUrl;
    [name: string]: unknown;
  };
  reason?: wire.Reason;
}

export interface Wallet {
  id: wire.ObjectId;
  userId: wire.ObjectId;
  /** A number of Keys */
  balance: number;
  balanceUSD: number;
  currency: 'Keys';
  isActive: boolean;
  locked: boolean;
  /** Present only if locked */
  lockedReason?: string;
  createdAt: wire.DateTime;
  updatedAt: wire.DateTime;
}

export interface Withdrawal {
  id: wire.ObjectId;
  transactionId: string;
  userId: wire.ObjectId;
  /** A number of Keys */
  amount: number;
  currency: 'Keys';
  type: 'withdrawal';
  status: 'pending' | 'completed' | 'failed' | 'cancelled';
  description: string;
  /** Arbitrary key-value pairs, at most 16 KiB of JSON */
  metadata: Record<string, unknown>;
  createdAt: wire.DateTime;
  processedAt: wire.DateTime | null;
}
