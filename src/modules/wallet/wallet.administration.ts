import { fromReference, type ObjectId } from '../../kernel/ids.ts';
import type { LookUp, Sought, UserOverviewPart } from '../administration/contract.ts';
import type { Contributions } from '../module.ts';
import { OverviewWallet } from './administration/administration.schemas.ts';
import type { InspectWallet } from './administration/inspecting.ts';
import { walletNotFound } from './contract.ts';
import type { TransactionStore } from './history/transactions.store.ts';
import { type TransactionRecord, transactionIdOf } from './ledger/transactions.model.ts';

interface Parts {
  store: Pick<TransactionStore, 'findRecord'>;
  inspect: InspectWallet;
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

/** What administrators find and see of wallets and transactions. */
export const walletAdministration = ({
  store,
  inspect,
}: Parts): Required<Pick<Contributions, 'lookUps' | 'userOverview'>> => ({
  lookUps: [lookUp(store, 'transaction'), lookUp(store, 'withdrawal')],
  userOverview: [overview(inspect)],
});
