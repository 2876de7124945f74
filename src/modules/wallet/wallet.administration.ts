import { fromReference, type ObjectId } from '../../kernel/ids.ts';
import type { LookUp, OverviewPart, Sought, UserOverviewPart } from '../administration/contract.ts';
import type { Contributions } from '../module.ts';
import { OverviewWallet } from './administration/administration.schemas.ts';
import type { InspectWallet } from './administration/inspecting.ts';
import { walletNotFound } from './contract.ts';
import type { TransactionStore } from './history/transactions.store.ts';
import { type TransactionRecord, transactionIdOf } from './ledger/transactions.model.ts';
import { LatestProof } from './ledger/verification.schemas.ts';
import type { VerificationRules } from './ledger/verification.ts';

interface Parts {
  store: Pick<TransactionStore, 'findRecord'>;
  inspect: InspectWallet;
  verification: Pick<VerificationRules, 'last'>;
}

/** Returns the look-up of withdrawals, or of all other transactions. */
const lookUp = (
  { findRecord }: Pick<TransactionStore, 'findRecord'>,
  type: 'transaction' | 'withdrawal',
): LookUp => ({
  type,
  find: async (sought) => {
    const id = idIn(sought);
    const found = id && (await findRecord(id));
    if (!found || (found.type === 'withdrawal') !== (type === 'withdrawal')) return [];
    const userId = found.fromUserId ?? found.toUserId;
    return [{ id: transactionIdOf(found.id), title: titleOf(found), userId, match: 'id' }];
  },
});

const PREFIX = 'txn_';

const idIn = ({ id, lowerCase }: Sought): ObjectId | undefined =>
  id ??
  (lowerCase.startsWith(PREFIX)
    ? fromReference('txn', PREFIX + lowerCase.slice(PREFIX.length).toUpperCase())
    : undefined);

const titleOf = ({ type, amount, status, description }: TransactionRecord): string =>
  `${type} of ${amount} Keys, ${status}${description && `: ${description}`}`;

const overview = (inspect: InspectWallet): UserOverviewPart => ({
  name: 'wallet',
  shape: OverviewWallet,
  read: (userId) =>
    inspect(userId).catch((error: unknown) => {
      if (walletNotFound.is(error)) return null;
      throw error;
    }),
});

/** Whether the ledger was sound when it was last verified. */
const proof = ({ last }: Pick<VerificationRules, 'last'>): OverviewPart => ({
  name: 'ledger',
  shape: LatestProof,
  read: async () => {
    const found = await last();
    return found ? { at: found.at, sound: found.faults === 0 } : null;
  },
});

/** The parts of overviews and the search of wallets and transactions. */
export const walletAdministration = ({
  store,
  inspect,
  verification,
}: Parts): Required<Pick<Contributions, 'lookUps' | 'userOverview' | 'overview'>> => ({
  lookUps: [lookUp(store, 'transaction'), lookUp(store, 'withdrawal')],
  userOverview: [overview(inspect)],
  overview: [proof(verification)],
});
