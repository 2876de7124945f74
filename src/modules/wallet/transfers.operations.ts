import { Type } from 'typebox';
import { administrator, member } from '../../kernel/operations/access.ts';
import { created, type Operation, operation, pageOf } from '../../kernel/operations/operation.ts';
import { periodOf } from '../../kernel/operations/periods.ts';
import { oneOf, pageQuery, periodQuery } from '../../kernel/operations/shapes.ts';
import {
  balanceLimitExceeded,
  insufficientBalance,
  recipientUnavailable,
  walletInactive,
  walletLocked,
  walletNotFound,
} from './postings.ts';
import {
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type TransactionStore,
  transactionIdOf,
} from './transactions.store.ts';
import { type TransferRules, transferToOneself } from './transfers.ts';
import {
  AdminFundingResult,
  Amount,
  Description,
  OptionalMetadata,
  TransactionShape,
  TransferResult,
  UserIdInBody,
} from './wallet.schemas.ts';
import { userNotFound } from './wallets.ts';

const tag = 'Wallet';

export const transferOperations = (transfers: TransferRules, transactions: TransactionStore): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/wallets/transfer',
    id: 'transferKeys',
    tag,
    summary: 'Send Keys to another member',
    description: 'At once and for good. A recipient without a wallet gets one.',
    access: member,
    body: Type.Object({
      toUserId: UserIdInBody,
      amount: Amount,
      description: Description,
      metadata: OptionalMetadata,
    }),
    success: created(TransferResult, { message: 'Transfer completed successfully' }),
    failures: [
      ...[insufficientBalance, transferToOneself, balanceLimitExceeded, userNotFound, walletNotFound],
      ...[walletLocked, walletInactive, recipientUnavailable],
    ],
    handle: async ({ body, caller }) => {
      const { id, from, to } = await transfers.transfer(caller.userId, body);
      return {
        fromWallet: { userId: caller.userId, balance: from.balanceAfter },
        toWallet: { userId: body.toUserId, balance: to.balanceAfter },
        transaction: {
          transactionId: transactionIdOf(id),
          type: 'transfer' as const,
          amount: body.amount,
          status: 'completed' as const,
        },
      };
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/transactions',
    id: 'listTransactions',
    tag,
    summary: 'Your transactions, newest first',
    access: member,
    query: Type.Object({
      ...pageQuery({ limit: 50 }),
      type: Type.Optional(oneOf(TRANSACTION_TYPES)),
      status: Type.Optional(oneOf(TRANSACTION_STATUSES)),
      ...periodQuery,
    }),
    success: pageOf(TransactionShape),
    handle: ({ query: { page, limit, type, status, ...period }, caller }) =>
      transactions.pageOf(caller.userId, { type, status, ...periodOf(period) }, { page, limit }),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/admin/fund',
    id: 'fundWalletAsAdmin',
    tag,
    summary: "Put Keys into a member's wallet",
    description: 'Who did it stands in the metadata of the transaction and in the audit log.',
    access: administrator,
    body: Type.Object({
      userId: UserIdInBody,
      amount: Amount,
      description: Description,
      metadata: OptionalMetadata,
    }),
    success: created(AdminFundingResult, { message: 'Wallet funded successfully' }),
    failures: [userNotFound, balanceLimitExceeded, walletLocked, walletInactive],
    handle: async ({ body, caller, facts }) => {
      const { id, at, to, wallet, metadata, description } = await transfers.fundAsAdmin(body, caller, facts);
      return {
        wallet: { ...wallet, balance: to.balanceAfter },
        transaction: {
          _id: id,
          transactionId: transactionIdOf(id),
          fromUserId: null,
          toUserId: body.userId,
          amount: body.amount,
          currency: 'Keys' as const,
          type: 'fund' as const,
          status: 'completed' as const,
          description,
          metadata,
          createdAt: at,
          processedAt: at,
        },
        transactionId: id,
      };
    },
  }),
];
