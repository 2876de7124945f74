import { Type } from 'typebox';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import {
  answer,
  created,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../../kernel/operations/operation.ts';
import { endOf } from '../../../kernel/time/time.ts';
import { userNotFound } from '../../identity/contract.ts';
import { walletNotFound } from '../contract.ts';
import { Balance, InspectedWallet, OwnedWallet, WalletShape } from '../wallet.schemas.ts';
import type { WithdrawalRules } from '../withdrawals/withdrawals.ts';
import type { Owner, OwnerRules } from './owners.ts';
import {
  ChangeWalletBody,
  CreateWalletAsAdminBody,
  GetBalanceQuery,
  ListWalletsQuery,
} from './wallets.schemas.ts';
import type { Wallet } from './wallets.store.ts';
import type { WalletRules } from './wallets.ts';

const tag = 'Wallet';

/** Responds 201 for a new wallet, 200 for an existing one. */
const createdOrExisting = ({ wallet, isNew }: { wallet: Wallet; isNew: boolean }) =>
  isNew ? wallet : answer(wallet, { status: 200, message: 'Wallet already exists' });

interface WalletParts {
  wallets: WalletRules;
  withdrawals: WithdrawalRules;
  owners: OwnerRules;
}

const SHOWN_WITHDRAWALS = { page: 1, limit: 100 };

export const walletOperations = ({ wallets, withdrawals, owners }: WalletParts): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/wallets',
    id: 'createWallet',
    tag,
    summary: 'Create your wallet',
    description: 'If the wallet already exists, it is returned with status 200.',
    access: member,
    idempotent: true,
    success: created(WalletShape, { message: 'Wallet created successfully', alternative: 200 }),
    handle: async ({ caller, idempotency }) =>
      createdOrExisting(
        await wallets.ensure(caller.userId, { answering: { idempotency, of: createdOrExisting } }),
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/balance',
    id: 'getBalance',
    tag,
    summary: 'Retrieve your balance in Keys and US dollars',
    description: 'With `at`, what it was at that instant, at the rate of that instant.',
    access: member,
    query: GetBalanceQuery,
    success: ok(Balance),
    failures: [walletNotFound],
    handle: ({ caller, query: { at } }) =>
      at === undefined ? wallets.ofUser(caller.userId) : wallets.balanceAt(caller.userId, endOf(at)),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/admin/create',
    id: 'createWalletAsAdmin',
    tag,
    summary: "Create a member's wallet",
    description:
      'If the wallet already exists, it is returned with status 200. Creation is recorded in the audit log.',
    access: administrator,
    body: CreateWalletAsAdminBody,
    idempotent: true,
    success: created(WalletShape, { message: 'Wallet created successfully', alternative: 200 }),
    failures: [userNotFound],
    handle: async ({ body, caller, facts, idempotency }) =>
      createdOrExisting(
        await wallets.ensureForUser(body.userId, actorOf(caller, facts), {
          idempotency,
          of: createdOrExisting,
        }),
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/all',
    id: 'listWallets',
    tag,
    summary: 'List all wallets, newest first',
    access: administrator,
    query: ListWalletsQuery,
    success: pageOf(OwnedWallet),
    handle: async ({ query: { page, limit, ...filter } }) =>
      owners.ofPage(await wallets.pageOf(filter, { page, limit })),
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/admin/:userId',
    id: 'getWalletAsAdmin',
    tag,
    summary: "Retrieve a member's wallet with its owner and held Keys",
    access: administrator,
    params: Type.Object({ userId: pathId('user') }),
    success: ok(InspectedWallet),
    failures: [walletNotFound, userNotFound],
    handle: async ({ params: { userId } }) => {
      const wallet = await wallets.inspect(userId);
      const pending = await withdrawals.pageOf({ status: 'pending', userId }, SHOWN_WITHDRAWALS);
      const [owned] = await owners.ofRows([wallet]);
      return { ...(owned as typeof wallet & { owner: Owner | null }), pendingWithdrawals: pending.items };
    },
  }),
  operation({
    method: 'PATCH',
    path: '/v1/wallets/admin/:userId',
    id: 'changeWallet',
    tag,
    summary: "Lock, unlock, activate or deactivate a member's wallet",
    description:
      'A locked or inactive wallet can neither send nor receive Keys, except for purchased Keys and returned Keys. Recorded in the audit log.',
    access: administrator,
    params: Type.Object({ userId: pathId('user') }),
    body: ChangeWalletBody,
    load: ({ params }) => wallets.ofUser(params.userId),
    success: ok(WalletShape, { message: 'Wallet updated successfully' }),
    failures: [walletNotFound],
    handle: ({ params, body, caller, facts }) =>
      wallets.setFlags(params.userId, body, actorOf(caller, facts)),
  }),
];
