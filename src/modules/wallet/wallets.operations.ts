import { Type } from 'typebox';
import { administrator, member } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { answer, created, type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { walletNotFound } from './postings.ts';
import { Balance, UserIdInBody, WalletShape } from './wallet.schemas.ts';
import type { Wallet } from './wallets.store.ts';
import { userNotFound, type WalletRules } from './wallets.ts';

const tag = 'Wallet';

/** 201 for a wallet that was made, 200 for one that was there. */
const madeOrFound = ({ wallet, isNew }: { wallet: Wallet; isNew: boolean }) =>
  isNew ? wallet : answer(wallet, { status: 200, message: 'Wallet already exists' });

export const walletOperations = (wallets: WalletRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/wallets',
    id: 'createWallet',
    tag,
    summary: 'Create your wallet',
    description: 'Doing it again answers 200 with the same wallet.',
    access: member,
    success: created(WalletShape, { message: 'Wallet created successfully', alternative: 200 }),
    handle: async ({ caller }) => madeOrFound(await wallets.ensure(caller.userId)),
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/balance',
    id: 'getBalance',
    tag,
    summary: 'Your balance in Keys and US dollars',
    access: member,
    success: ok(Balance),
    failures: [walletNotFound],
    handle: ({ caller }) => wallets.ofUser(caller.userId),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/admin/create',
    id: 'createWalletAsAdmin',
    tag,
    summary: "Create a member's wallet",
    description: 'Doing it again answers 200 with the same wallet. Creation is recorded in the audit log.',
    access: administrator,
    body: Type.Object({ userId: UserIdInBody }),
    success: created(WalletShape, { message: 'Wallet created successfully', alternative: 200 }),
    failures: [userNotFound],
    handle: async ({ body, caller, facts }) =>
      madeOrFound(await wallets.ensureForUser(body.userId, actorOf(caller, facts))),
  }),
];
