// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { readCsv } from '../../files.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import { renaming } from '../../renaming.ts';
import type * as types from '../types.ts';
import type * as wire from '../wire.ts';

/** Create your wallet. `POST /v1/wallets` For member. */
export const createWallet: Operation<{
  data: wire.Wallet;
  renamedData: types.Wallet;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode;
}> = {
  id: 'createWallet',
  method: 'POST',
  path: '/v1/wallets',
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** Retrieve your balance in Keys and US dollars. `GET /v1/wallets/balance` For member. */
export const getBalance: Operation<{
  query: {
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    at?: wire.InstantText;
  };
  data: wire.Balance;
  code: AnyCode | TokenCode | 'WALLET_NOT_FOUND';
}> = {
  id: 'getBalance',
  method: 'GET',
  path: '/v1/wallets/balance',
};

/** Create a member's wallet. `POST /v1/wallets/admin/create` For administrator. */
export const createWalletAsAdmin: Operation<{
  body: wire.CreateWalletAsAdminBody;
  data: wire.Wallet;
  renamedData: types.Wallet;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'createWalletAsAdmin',
  method: 'POST',
  path: '/v1/wallets/admin/create',
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** List all wallets, newest first. `GET /v1/wallets/all` For administrator. */
export const listWallets: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `createdAt` and `_id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.Moment;
    locked?: boolean;
    isActive?: boolean;
  };
  data: wire.OwnedWallet[];
  renamedData: types.OwnedWallet[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listWallets',
  method: 'GET',
  path: '/v1/wallets/all',
  pages: pagesOf,
  cursor: ['before', 'createdAt', 'id'],
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** Retrieve a member's wallet with its owner and held Keys. `GET /v1/wallets/admin/{userId}` For administrator. */
export const getWalletAsAdmin: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  data: wire.InspectedWallet;
  renamedData: types.InspectedWallet;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'WALLET_NOT_FOUND';
}> = {
  id: 'getWalletAsAdmin',
  method: 'GET',
  path: '/v1/wallets/admin/{userId}',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['_id', 'pendingWithdrawals._id']),
};

/** Lock, unlock, activate or deactivate a member's wallet. `PATCH /v1/wallets/admin/{userId}` For administrator. */
export const changeWallet: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.ChangeWalletBody;
  data: wire.Wallet;
  renamedData: types.Wallet;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'WALLET_NOT_FOUND';
}> = {
  id: 'changeWallet',
  method: 'PATCH',
  path: '/v1/wallets/admin/{userId}',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** List the transactions of all members with both sides, newest first. `GET /v1/wallets/admin/transactions` For administrator. */
export const listAllTransactions: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `transactionId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: string;
    type?: 'fund' | 'transfer' | 'withdrawal' | 'refund';
    status?: 'pending' | 'completed' | 'failed' | 'cancelled';
    userId?: wire.ObjectId;
    /** In Keys */
    minAmount?: number;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    from?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    to?: wire.InstantText;
    /** The Keys bought with this checkout, and those taken back for it */
    checkoutSessionId?: string;
    /** Whether `meta.summary` sums up everything that the filter matches */
    summary?: boolean;
  };
  data: wire.RecordedTransaction[];
  renamedData: types.RecordedTransaction[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listAllTransactions',
  method: 'GET',
  path: '/v1/wallets/admin/transactions',
  pages: pagesOf,
  cursor: ['before', 'transactionId'],
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** Retrieve a transaction with both sides, and with its checkout or payout. `GET /v1/wallets/admin/transactions/{transactionId}` For administrator. */
export const getTransactionAsAdmin: Operation<{
  params: {
    transactionId: string;
  };
  data: wire.RecordedTransaction;
  renamedData: types.RecordedTransaction;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getTransactionAsAdmin',
  method: 'GET',
  path: '/v1/wallets/admin/transactions/{transactionId}',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** List the checkouts of all members, newest first. `GET /v1/admin/checkouts` For administrator. */
export const listCheckouts: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    status?: 'open' | 'paid' | 'expired' | 'failed';
    userId?: wire.ObjectId;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    from?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    to?: wire.InstantText;
  };
  data: wire.Checkout[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listCheckouts',
  method: 'GET',
  path: '/v1/admin/checkouts',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Retrieve a checkout with the Keys that it bought. `GET /v1/admin/checkouts/{id}` For administrator. */
export const getCheckout: Operation<{
  params: {
    id: wire.ObjectId;
  };
  data: wire.Checkout;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getCheckout',
  method: 'GET',
  path: '/v1/admin/checkouts/{id}',
  fill: filled,
};

/** Query the payment provider about a checkout, and settle it. `POST /v1/admin/checkouts/{id}/reconcile` For administrator. */
export const reconcileCheckout: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.Checkout;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BALANCE_LIMIT_EXCEEDED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'PAYMENT_UNAVAILABLE' | 'VOLUME_LIMIT_EXCEEDED';
}> = {
  id: 'reconcileCheckout',
  method: 'POST',
  path: '/v1/admin/checkouts/{id}/reconcile',
  fill: filled,
  isIdempotent: true,
};

/** Take Keys from a member's wallet. `POST /v1/wallets/admin/debit` For administrator. */
export const debitWallet: Operation<{
  body: wire.DebitWalletBody;
  data: wire.DebitResult;
  renamedData: types.DebitResult;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INSUFFICIENT_BALANCE' | 'INVALID_AMOUNT' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED' | 'WALLET_NOT_FOUND';
}> = {
  id: 'debitWallet',
  method: 'POST',
  path: '/v1/wallets/admin/debit',
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['wallet._id', 'transaction._id']),
};

/** Reverse a transfer, or what an administrator granted or took. `POST /v1/wallets/admin/transactions/{transactionId}/reverse` For administrator. */
export const reverseTransaction: Operation<{
  params: {
    transactionId: string;
  };
  body: wire.ReverseTransactionBody;
  data: wire.ReversalResult;
  renamedData: types.ReversalResult;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'ALREADY_REVERSED' | 'BALANCE_LIMIT_EXCEEDED' | 'FORBIDDEN' | 'INSUFFICIENT_BALANCE' | 'INVALID_ID' | 'NOT_FOUND' | 'NOT_REVERSIBLE' | 'STEP_UP_REQUIRED' | 'VOLUME_LIMIT_EXCEEDED';
}> = {
  id: 'reverseTransaction',
  method: 'POST',
  path: '/v1/wallets/admin/transactions/{transactionId}/reverse',
  fill: filled,
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['transaction._id']),
};

/** Send Keys to another member. `POST /v1/wallets/transfer` For member. */
export const transferKeys: Operation<{
  body: wire.TransferKeysBody;
  data: wire.TransferResult;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BALANCE_LIMIT_EXCEEDED' | 'BLOCKED' | 'INSUFFICIENT_BALANCE' | 'INVALID_AMOUNT' | 'INVALID_ID' | 'NOT_FOUND' | 'RECIPIENT_UNAVAILABLE' | 'STEP_UP_REQUIRED' | 'TRANSFER_TO_ONESELF' | 'VOLUME_LIMIT_EXCEEDED' | 'WALLET_INACTIVE' | 'WALLET_LOCKED' | 'WALLET_NOT_FOUND';
}> = {
  id: 'transferKeys',
  method: 'POST',
  path: '/v1/wallets/transfer',
  isIdempotent: true,
};

/** Credit Keys to a member's wallet. `POST /v1/wallets/admin/fund` For administrator. */
export const fundWalletAsAdmin: Operation<{
  body: wire.FundWalletAsAdminBody;
  data: wire.AdminFundingResult;
  renamedData: types.AdminFundingResult;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BALANCE_LIMIT_EXCEEDED' | 'CIRCULATION_LIMIT_EXCEEDED' | 'FORBIDDEN' | 'INVALID_AMOUNT' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED' | 'TOO_MANY_KEYS_AT_ONCE' | 'VOLUME_LIMIT_EXCEEDED' | 'WALLET_INACTIVE' | 'WALLET_LOCKED';
}> = {
  id: 'fundWalletAsAdmin',
  method: 'POST',
  path: '/v1/wallets/admin/fund',
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['wallet._id', 'transaction._id']),
};

/** Buy Keys with a hosted checkout. `POST /v1/wallets/fund` For member. */
export const buyKeys: Operation<{
  body: wire.BuyKeysBody;
  data: wire.CheckoutSession;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'AMOUNT_TOO_SMALL' | 'CIRCULATION_LIMIT_EXCEEDED' | 'EMAIL_NOT_VERIFIED' | 'INVALID_AMOUNT' | 'PAYMENT_UNAVAILABLE' | 'PRICE_OUT_OF_RANGE' | 'TOO_MANY_KEYS_AT_ONCE' | 'WALLET_INACTIVE' | 'WALLET_LOCKED';
}> = {
  id: 'buyKeys',
  method: 'POST',
  path: '/v1/wallets/fund',
  isIdempotent: true,
};

/** Retrieve a checkout of yours, and what became of it. `GET /v1/wallets/checkouts/{checkoutSessionId}` For member. */
export const getOwnCheckout: Operation<{
  params: {
    checkoutSessionId: string;
  };
  data: wire.OwnCheckout;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getOwnCheckout',
  method: 'GET',
  path: '/v1/wallets/checkouts/{checkoutSessionId}',
  fill: filled,
};

/** Request a withdrawal of Keys. `POST /v1/wallets/withdraw` For member. */
export const withdrawKeys: Operation<{
  body: wire.WithdrawKeysBody;
  data: wire.WithdrawalResult;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'AMOUNT_TOO_LARGE' | 'AMOUNT_TOO_SMALL' | 'BALANCE_LIMIT_EXCEEDED' | 'EMAIL_NOT_VERIFIED' | 'INSUFFICIENT_BALANCE' | 'INVALID_AMOUNT' | 'STEP_UP_REQUIRED' | 'VOLUME_LIMIT_EXCEEDED' | 'WALLET_INACTIVE' | 'WALLET_LOCKED' | 'WALLET_NOT_FOUND';
}> = {
  id: 'withdrawKeys',
  method: 'POST',
  path: '/v1/wallets/withdraw',
  isIdempotent: true,
};

/** Cancel your pending withdrawal. `POST /v1/wallets/withdrawals/{transactionId}/cancel` For member. */
export const cancelWithdrawal: Operation<{
  params: {
    transactionId: string;
  };
  data: wire.Withdrawal;
  renamedData: types.Withdrawal;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BALANCE_LIMIT_EXCEEDED' | 'INVALID_ID' | 'NOT_FOUND' | 'PAYMENT_UNAVAILABLE' | 'PAYOUT_UNDER_WAY' | 'VOLUME_LIMIT_EXCEEDED' | 'WITHDRAWAL_NOT_PENDING';
}> = {
  id: 'cancelWithdrawal',
  method: 'POST',
  path: '/v1/wallets/withdrawals/{transactionId}/cancel',
  fill: filled,
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** List withdrawals of all members, newest first. `GET /v1/wallets/admin/withdrawals` For administrator. */
export const listWithdrawals: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `transactionId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: string;
    status?: 'pending' | 'completed' | 'failed' | 'cancelled';
    userId?: wire.ObjectId;
    /** Requested before this instant */
    olderThan?: wire.InstantText;
    /** Whether `meta.summary` sums up everything that the filter matches */
    summary?: boolean;
  };
  data: wire.OwnedWithdrawal[];
  renamedData: types.OwnedWithdrawal[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listWithdrawals',
  method: 'GET',
  path: '/v1/wallets/admin/withdrawals',
  pages: pagesOf,
  cursor: ['before', 'transactionId'],
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** Request the payout of Keys of a deleted member. `POST /v1/wallets/admin/withdrawals` For administrator. */
export const payOutRemainingKeys: Operation<{
  body: wire.PayOutRemainingKeysBody;
  data: wire.Withdrawal;
  renamedData: types.Withdrawal;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'AMOUNT_TOO_LARGE' | 'AMOUNT_TOO_SMALL' | 'BALANCE_LIMIT_EXCEEDED' | 'FORBIDDEN' | 'INSUFFICIENT_BALANCE' | 'INVALID_AMOUNT' | 'INVALID_ID' | 'MEMBER_NOT_DELETED' | 'STEP_UP_REQUIRED' | 'VOLUME_LIMIT_EXCEEDED' | 'WALLET_NOT_FOUND';
}> = {
  id: 'payOutRemainingKeys',
  method: 'POST',
  path: '/v1/wallets/admin/withdrawals',
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** Query the payment provider about a pending withdrawal at once. `POST /v1/wallets/admin/withdrawals/{transactionId}/retry` For administrator. */
export const retryWithdrawal: Operation<{
  params: {
    transactionId: string;
  };
  body: wire.ReasonBody;
  data: wire.OwnedWithdrawal;
  renamedData: types.OwnedWithdrawal;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BALANCE_LIMIT_EXCEEDED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'PAYMENT_UNAVAILABLE' | 'PAYOUT_UNKNOWN' | 'VOLUME_LIMIT_EXCEEDED' | 'WITHDRAWAL_NOT_PENDING';
}> = {
  id: 'retryWithdrawal',
  method: 'POST',
  path: '/v1/wallets/admin/withdrawals/{transactionId}/retry',
  fill: filled,
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** Settle a pending withdrawal manually. `POST /v1/wallets/admin/withdrawals/{transactionId}/settle` For administrator. */
export const settleWithdrawal: Operation<{
  params: {
    transactionId: string;
  };
  body: wire.SettleWithdrawalBody;
  data: wire.Withdrawal;
  renamedData: types.Withdrawal;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BALANCE_LIMIT_EXCEEDED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'PAYMENT_UNAVAILABLE' | 'PAYOUT_UNDER_WAY' | 'STEP_UP_REQUIRED' | 'VOLUME_LIMIT_EXCEEDED' | 'WITHDRAWAL_NOT_PENDING';
}> = {
  id: 'settleWithdrawal',
  method: 'POST',
  path: '/v1/wallets/admin/withdrawals/{transactionId}/settle',
  fill: filled,
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** List your transactions, newest first. `GET /v1/wallets/transactions` For member. */
export const listTransactions: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `transactionId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: string;
    type?: 'fund' | 'transfer' | 'withdrawal' | 'refund';
    status?: 'pending' | 'completed' | 'failed' | 'cancelled';
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    startDate?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    endDate?: wire.InstantText;
  };
  data: wire.Transaction[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID';
}> = {
  id: 'listTransactions',
  method: 'GET',
  path: '/v1/wallets/transactions',
  pages: pagesOf,
  cursor: ['before', 'transactionId'],
};

/** Retrieve one of your transactions. `GET /v1/wallets/transactions/{transactionId}` For member. */
export const getTransaction: Operation<{
  params: {
    transactionId: string;
  };
  data: wire.Transaction;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getTransaction',
  method: 'GET',
  path: '/v1/wallets/transactions/{transactionId}',
  fill: filled,
};

/** Retrieve totals of your transactions. `GET /v1/wallets/statistics` For member. */
export const getTransactionStatistics: Operation<{
  query: {
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    startDate?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    endDate?: wire.InstantText;
  };
  data: wire.TransactionStatistics;
  code: AnyCode | TokenCode;
}> = {
  id: 'getTransactionStatistics',
  method: 'GET',
  path: '/v1/wallets/statistics',
};

/** Retrieve a statement of your wallet. `GET /v1/wallets/statement` For member. */
export const getOwnStatement: Operation<{
  query: {
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    startDate?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    endDate?: wire.InstantText;
  };
  data: wire.Statement;
  code: AnyCode | TokenCode | 'STATEMENT_TOO_LONG' | 'WALLET_NOT_FOUND';
}> = {
  id: 'getOwnStatement',
  method: 'GET',
  path: '/v1/wallets/statement',
};

/** Retrieve a statement of a member's wallet. `GET /v1/wallets/admin/{userId}/statement` For administrator. */
export const getStatement: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  query: {
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    startDate?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    endDate?: wire.InstantText;
    format?: 'json' | 'csv';
  };
  data: wire.Statement;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'WALLET_NOT_FOUND';
}> = {
  id: 'getStatement',
  method: 'GET',
  path: '/v1/wallets/admin/{userId}/statement',
  fill: filled,
  read: readCsv,
};
