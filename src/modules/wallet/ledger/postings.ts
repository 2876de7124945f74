import { type Failure, failure } from '../../../kernel/failures.ts';
import { MAX_INTEGER } from '../../../kernel/operations/shapes.ts';
import {
  balanceLimitExceeded,
  insufficientBalance,
  recipientUnavailable,
  volumeLimitExceeded,
  walletInactive,
  walletLocked,
  walletNotFound,
} from '../contract.ts';
import { circulationLimitExceeded } from './circulation.ts';
import type { AccountName, AccountState, Entry, Movement, Posting } from './postings.model.ts';

/** Internal: the caller creates the wallet and posts again. */
export const recipientWithoutWallet = failure(
  404,
  'RECIPIENT_WITHOUT_WALLET',
  'The recipient has no wallet yet',
);

/** Computes the hash of an entry, which chains it to the account's previous ones. */
export type Chain = (previous: Buffer, entry: Omit<Entry, 'hash'>) => Buffer;

const MAX_RECEIVED = 2n ** 63n - 1n;

/**
 * The rule of every movement: accepts it and updates the states of both accounts, or returns the failure and changes
 * nothing. The postings of a batch are applied in sequence, each to the result of the previous ones.
 */
export function move(
  accounts: Map<AccountName, AccountState>,
  { from, to, amount, despiteLocks = false, circulationUpTo = MAX_INTEGER }: Posting,
  chain: Chain,
): Movement | Failure {
  const source = accounts.get(from);
  const target = accounts.get(to);
  if (!source) return walletNotFound();
  if (!despiteLocks && source.locked) return walletLocked();
  if (!despiteLocks && !source.isActive) return walletInactive();
  const isClosed = !despiteLocks && target !== undefined && (target.locked || !target.isActive);
  if (isClosed && from === 'issued') return unavailable(target);
  // Exact, because balances and amounts are safe integers.
  if (from === 'issued' && source.balance < amount - circulationUpTo)
    return circulationUpTo === MAX_INTEGER ? balanceLimitExceeded() : circulationLimitExceeded();
  if (from !== 'issued' && source.balance < amount) return insufficientBalance();
  if (!target) return recipientWithoutWallet();
  if (isClosed) return recipientUnavailable();
  if (target.balance > MAX_INTEGER - amount) return balanceLimitExceeded();
  if (target.received > MAX_RECEIVED - BigInt(amount)) return volumeLimitExceeded();
  return { from: apply(source, -amount, chain), to: apply(target, amount, chain) };
}

const unavailable = ({ locked }: AccountState): Failure => (locked ? walletLocked() : walletInactive());

function apply(account: AccountState, amount: number, chain: Chain): Entry {
  const balanceBefore = account.balance;
  account.balance += amount;
  account.lastSeq += 1;
  if (amount > 0) account.received += BigInt(amount);
  const entry = {
    accountId: account.id,
    seq: account.lastSeq,
    amount,
    balanceBefore,
    balanceAfter: account.balance,
    received: account.received,
  };
  account.hash = chain(account.hash, entry);
  return { ...entry, hash: account.hash };
}
