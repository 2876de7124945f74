// Written by `npm run sdk` from the operations of the platform: change those instead.

// The inputs and results of the SDK: those of the wire, except for a few schemas with renamed fields.
export type * from './wire.ts';
import type * as wire from './wire.ts';

export interface Account {
  id: wire.ObjectId;
  email: string;
  /** Whether the member has proved that the address is theirs */
  emailVerified: boolean;
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
  socials?: wire.Socials;
}

export interface AdminFundingResult {
  wallet: ChangedWallet;
  transaction: TransactionRecord;
  /** The record's `_id` */
  transactionId: string;
}

export interface ChangedWallet {
  id: wire.ObjectId;
  userId: wire.ObjectId;
  /** A number of Keys */
  balance: number;
  currency: 'Keys';
  isActive: boolean;
  locked: boolean;
}

export interface DebitResult {
  wallet: ChangedWallet;
  transaction: TransactionRecord;
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
    profileImage: wire.PictureLinks | null;
    bannerImage: wire.PictureLinks | null;
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
  /** Whether you follow them */
  isFollowing: boolean;
  /** Whether you are notified of their announcements and stories */
  subscribed: boolean;
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
    profileImage: wire.PictureLinks | null;
    bannerImage: wire.PictureLinks | null;
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
  /** Whether you follow them */
  isFollowing: boolean;
  /** Whether you are notified of their announcements and stories */
  subscribed: boolean;
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
  /** Present only if locked; empty without a reason */
  lockedReason?: string;
  createdAt: wire.DateTime;
  updatedAt: wire.DateTime;
  /** The owner; null if the member was deleted */
  owner: wire.Owner | null;
  /** Keys held by pending withdrawals */
  heldKeys: number;
  /** The 100 newest */
  pendingWithdrawals: Withdrawal[];
}

export interface ListedAccount {
  id: wire.ObjectId;
  email: string;
  /** Whether the member has proved that the address is theirs */
  emailVerified: boolean;
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
  socials?: wire.Socials;
  /** Keys; null without a wallet */
  balance: number | null;
  lastSeenAt: wire.DateTime | null;
  /** What they pay for: bought, and not expired; at most 20 */
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
  /** Present only if locked; empty without a reason */
  lockedReason?: string;
  createdAt: wire.DateTime;
  updatedAt: wire.DateTime;
  /** The owner; null if the member was deleted */
  owner: wire.Owner | null;
}

/** A withdrawal, its owner and its payout */
export interface OwnedWithdrawal {
  id: wire.ObjectId;
  transactionId: string;
  userId: wire.ObjectId;
  /** A number of Keys */
  amount: number;
  currency: 'Keys';
  type: 'withdrawal';
  status: wire.TransactionStatus;
  description: string;
  metadata: wire.Metadata;
  createdAt: wire.DateTime;
  processedAt: wire.DateTime | null;
  /** The owner; null if the member was deleted */
  owner: wire.Owner | null;
  /** The payment provider's name of the payout */
  providerId: string | null;
  /** Attempts to reach the payment provider about it that failed since one succeeded */
  attempts: number;
  /** Why the last attempt, or the payout, failed */
  lastError: string | null;
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
  /** At most a day ahead, for clocks and days that differ */
  lastPurchasedDate: wire.InstantText;
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

/** A transaction with both sides */
export interface RecordedTransaction {
  id: wire.ObjectId;
  transactionId: string;
  fromUserId: wire.ObjectId | null;
  toUserId: wire.ObjectId | null;
  /** A number of Keys */
  amount: number;
  currency: 'Keys';
  type: wire.TransactionType;
  status: wire.TransactionStatus;
  description: string;
  metadata: wire.Metadata;
  /** The wallet that lost the Keys; null if the platform issued or returned them */
  from: wire.TransactionSide | null;
  /** The wallet that got the Keys; null if they went to the platform, or are held for a payout */
  to: wire.TransactionSide | null;
  /** Of Keys that were bought */
  checkout: wire.ProviderPayment | null;
  /** Of a withdrawal, and of the return of its Keys */
  payout: wire.ProviderPayment | null;
  createdAt: wire.DateTime;
  processedAt: wire.DateTime | null;
}

export interface ReversalResult {
  transaction: TransactionRecord;
  reversedTransactionId: string;
  /** Keys that the wallet no longer had */
  short: number;
}

export interface TransactionRecord {
  id: wire.ObjectId;
  transactionId: string;
  fromUserId: wire.ObjectId | null;
  toUserId: wire.ObjectId | null;
  /** A number of Keys */
  amount: number;
  currency: 'Keys';
  type: wire.TransactionType;
  status: wire.TransactionStatus;
  description: string;
  metadata: wire.Metadata;
  fee: number;
  /** Keys after fees */
  netAmount: number;
  /** Null where the side is no member */
  fromBalanceBefore: number | null;
  /** Null where the side is no member */
  fromBalanceAfter: number | null;
  /** Null where the side is no member */
  toBalanceBefore: number | null;
  /** Null where the side is no member */
  toBalanceAfter: number | null;
  createdAt: wire.DateTime;
  processedAt: wire.DateTime | null;
}

export interface UpdateEducatorProfileBody {
  educatorTitle?: string;
  /** At most 2000 characters */
  educatorBio?: string;
  bannerImage?: wire.HttpUrl | null;
  profileImage?: wire.HttpUrl | null;
  specialty?: string;
  skills?: string[];
  socials?: wire.Socials;
  firstName?: string;
  lastName?: string;
  expectedUpdatedAt?: wire.ExpectedUpdatedAt;
  reason?: wire.Reason;
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
  socials?: wire.Socials;
  expectedUpdatedAt?: wire.ExpectedUpdatedAt;
  reason?: wire.Reason;
}

export interface UserOverview {
  /** At most 10, newest first */
  lastErrors: wire.ErrorSummary[];
  user: Account;
  /** Null while the customer directory is unavailable */
  access: wire.AccessVerdict[] | null;
  /** From where sign-ins by password are refused now after too many failures (429 TOO_MANY_ATTEMPTS) */
  throttledSignIns: {
    /** The network from which they come */
    address: string;
    /** When the first was refused */
    since: wire.DateTime;
    /** When one is tried again */
    until: wire.DateTime;
  }[];
  /** The active sessions, at most the 20 newest */
  sessions: wire.Session[];
  factors: {
    /** With what the user proves who they are */
    kind: 'password' | 'totp' | 'passkey';
    /** Null if another system keeps it */
    since: wire.DateTime | null;
  }[];
  /** Of what the user published, and by the user; at most 20 each, newest first */
  reports: {
    against: wire.ReportOfUser[];
    by: wire.ReportOfUser[];
    /** How many there are, shown or not */
    totals: {
      against: {
        /** Counted up to 10,000 */
        total: number;
        /** False if there are more than were counted */
        totalIsExact: boolean;
      };
      by: {
        /** Counted up to 10,000 */
        total: number;
        /** False if there are more than were counted */
        totalIsExact: boolean;
      };
    };
  };
  /** Of a user who is muted everywhere */
  mute: {
    /** When it ends by itself */
    until: wire.DateTime;
  } | null;
  /** Null if the user has none */
  wallet: InspectedWallet | null;
  devices: {
    id: wire.ObjectId;
    platform: 'ios' | 'android' | 'web';
    name: string | null;
    deviceId: string | null;
    createdAt: wire.DateTime;
    lastSeenAt: wire.DateTime;
  }[];
  /** At most 100 of each */
  rooms: {
    muted: {
      roomId: wire.ObjectId;
      name: string;
      until: wire.DateTime;
    }[];
    banned: {
      roomId: wire.ObjectId;
      name: string;
      since: wire.DateTime;
    }[];
  };
  grants: wire.IndicatorAccess[];
  /** At most 20, the last changed first */
  requests: {
    id: wire.ObjectId;
    productId: wire.ObjectId;
    userId: wire.ObjectId;
    fullName: string;
    /** The e-mail that the member entered */
    email: string;
    chartingId: string | null;
    answers: wire.AccessRequestAnswer[];
    status: 'pending' | 'approved' | 'denied';
    /** Number of times it was submitted */
    submissions: number;
    /** The reason for the decision, if one was given */
    reason: string | null;
    decidedBy: wire.ObjectId | null;
    decidedAt: wire.DateTime | null;
    createdAt: wire.DateTime;
    updatedAt: wire.DateTime;
    productName: string;
  }[];
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
  /** Present only if locked; empty without a reason */
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
  status: wire.TransactionStatus;
  description: string;
  metadata: wire.Metadata;
  createdAt: wire.DateTime;
  processedAt: wire.DateTime | null;
}
