import { fromReference, type ObjectId } from '../../kernel/ids.ts';
import type {
  FoundRecord,
  LookUp,
  OverviewPart,
  Sought,
  UserOverviewPart,
} from '../administration/contract.ts';
import type { Merchant } from '../merchant/contract.ts';
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
  payments: Pick<Merchant['payments'], 'payoutReferencesOf'>;
  inspect: InspectWallet;
  verification: Pick<VerificationRules, 'last'>;
}

/** Finds the transactions that are no withdrawals. */
const transactionLookUp = ({ findRecord }: Parts['store']): LookUp => ({
  type: 'transaction',
  find: async (sought) => {
    const found = await findBy(findRecord, idIn(sought));
    return found && found.type !== 'withdrawal' ? [hitOf(found)] : [];
  },
});

/** Finds withdrawals, also by their payout: its id, or its name at the payment provider. */
const withdrawalLookUp = ({ findRecord }: Parts['store'], payments: Parts['payments']): LookUp => ({
  type: 'withdrawal',
  find: async (sought) => {
    const ids = [idIn(sought), ...(await payments.payoutReferencesOf(sought.id ?? sought.text))];
    const found = await Promise.all(ids.map((id) => findBy(findRecord, id)));
    return found.flatMap((one) => (one?.type === 'withdrawal' ? [hitOf(one)] : []));
  },
});

const findBy = async (findRecord: Parts['store']['findRecord'], id: ObjectId | undefined) =>
  id === undefined ? undefined : findRecord(id);

const hitOf = (found: TransactionRecord): FoundRecord => ({
  id: transactionIdOf(found.id),
  title: titleOf(found),
  userId: found.fromUserId ?? found.toUserId,
  match: 'id',
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
  payments,
  inspect,
  verification,
}: Parts): Required<Pick<Contributions, 'lookUps' | 'userOverview' | 'overview'>> => ({
  lookUps: [transactionLookUp(store), withdrawalLookUp(store, payments)],
  userOverview: [overview(inspect)],
  overview: [proof(verification)],
});
