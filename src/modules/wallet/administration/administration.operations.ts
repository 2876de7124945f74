import { Type } from 'typebox';
import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { momentPageOf } from '../../../kernel/operations/moments.ts';
import { created, type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { userNotFound } from '../../identity/contract.ts';
import { walletNotFound } from '../contract.ts';
import type { OwnerRules } from '../wallets/owners.ts';
import { createdOrExisting } from '../wallets/wallets.operations.ts';
import {
  ChangeWalletBody,
  CreateWalletAsAdminBody,
  ListWalletsQuery,
  OwnedWallet,
  WalletShape,
} from '../wallets/wallets.schemas.ts';
import type { WalletRules } from '../wallets/wallets.ts';
import { InspectedWallet } from './administration.schemas.ts';
import type { InspectWallet } from './inspecting.ts';

const tag = 'Wallet';

interface AdministrationParts {
  wallets: WalletRules;
  inspect: InspectWallet;
  owners: OwnerRules;
}

/** The administration of wallets. */
export const administrationOperations = ({ wallets, inspect, owners }: AdministrationParts): Operation[] => [
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
    handle: async ({ query: { page, limit, before, ...filter } }) =>
      owners.ofPage(await wallets.pageOf(filter, momentPageOf({ page, limit, before }))),
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
    handle: ({ params }) => inspect(params.userId),
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
    failures: [walletNotFound, userNotFound],
    handle: ({ params, body, caller, facts }) =>
      wallets.setFlags(params.userId, body, actorOf(caller, facts)),
  }),
];
