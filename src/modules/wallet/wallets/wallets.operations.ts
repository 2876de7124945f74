import { member } from '../../../kernel/operations/access.ts';
import { answer, created, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { endOf } from '../../../kernel/time/time.ts';
import { walletNotFound } from '../contract.ts';
import type { Wallet } from './wallets.model.ts';
import { Balance, GetBalanceQuery, WalletShape } from './wallets.schemas.ts';
import type { WalletRules } from './wallets.ts';

const tag = 'Wallet';

/** Responds 201 for a new wallet, 200 for an existing one. */
export const createdOrExisting = ({ wallet, isNew }: { wallet: Wallet; isNew: boolean }) =>
  isNew ? wallet : answer(wallet, { status: 200, message: 'Wallet already exists' });

/** Operations on the caller's own wallet. */
export const walletOperations = (wallets: WalletRules): Operation[] => [
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
];
