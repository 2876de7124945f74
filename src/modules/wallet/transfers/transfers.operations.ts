import { administrator, member } from '../../../kernel/operations/access.ts';
import { created, type Operation, operation } from '../../../kernel/operations/operation.ts';
import { userNotFound } from '../../identity/contract.ts';
import { blocked } from '../../moderation/contract.ts';
import { CREDIT_FAILURES, TRANSFER_FAILURES, walletInactive, walletLocked } from '../contract.ts';
import { ISSUE_FAILURES } from '../ledger/circulation.ts';
import {
  AdminFundingResult,
  FundWalletAsAdminBody,
  TransferKeysBody,
  TransferResult,
} from './transfers.schemas.ts';
import { type TransferRules, transferToOneself } from './transfers.ts';

const tag = 'Wallet';

export const transferOperations = (transfers: TransferRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/wallets/transfer',
    id: 'transferKeys',
    tag,
    summary: 'Send Keys to another member',
    description:
      'Transfers are immediate. The sender cannot take one back; an administrator can reverse it. If the recipient has no wallet, one is created. A member whom the recipient has blocked can send Keys without `description` and `metadata` only.',
    access: member,
    body: TransferKeysBody,
    idempotent: true,
    success: created(TransferResult, { message: 'Transfer completed successfully' }),
    failures: [...TRANSFER_FAILURES, transferToOneself, userNotFound, blocked],
    handle: ({ body, caller, idempotency }) => transfers.transfer(caller, body, idempotency),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/admin/fund',
    id: 'fundWalletAsAdmin',
    tag,
    summary: "Credit Keys to a member's wallet",
    description: 'The administrator is recorded in the metadata of the transaction and in the audit log.',
    access: administrator,
    isSensitive: true,
    body: FundWalletAsAdminBody,
    idempotent: true,
    success: created(AdminFundingResult, { message: 'Wallet funded successfully' }),
    failures: [...ISSUE_FAILURES, ...CREDIT_FAILURES, userNotFound, walletLocked, walletInactive],
    handle: ({ body, caller, facts, idempotency }) => transfers.fundAsAdmin(body, caller, facts, idempotency),
  }),
];
