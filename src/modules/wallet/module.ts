import type { Core } from '../../kernel/core.ts';
import { operatorAlerts } from '../../kernel/records/alerts.ts';
import type { Merchant } from '../merchant/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import { administrationOperations } from './administration/administration.operations.ts';
import { allTransactionsOperations } from './administration/all-transactions.operations.ts';
import { allTransactionsStore } from './administration/all-transactions.store.ts';
import { allTransactionsRules } from './administration/all-transactions.ts';
import { checkoutOperations } from './administration/checkouts.operations.ts';
import { checkoutRules } from './administration/checkouts.ts';
import { inspecting } from './administration/inspecting.ts';
import type { Wallet } from './contract.ts';
import { correctionOperations } from './corrections/corrections.operations.ts';
import { debitRules } from './corrections/debits.ts';
import { moving } from './corrections/moving.ts';
import { reversalRules } from './corrections/reversals.ts';
import { exchangeRateOperations } from './exchange-rates/exchange-rates.operations.ts';
import { exchangeRateStore } from './exchange-rates/exchange-rates.store.ts';
import { exchangeRateRules } from './exchange-rates/exchange-rates.ts';
import { reportOperations } from './history/history.operations.ts';
import { statementStore } from './history/statements.store.ts';
import { statementRules } from './history/statements.ts';
import { statisticsStore } from './history/statistics.store.ts';
import { statisticsRules } from './history/statistics.ts';
import { transactionStore } from './history/transactions.store.ts';
import { transactionRules } from './history/transactions.ts';
import { ledgerMetrics } from './ledger/ledger.metrics.ts';
import { ledger } from './ledger/ledger.ts';
import { verificationOperations } from './ledger/verification.operations.ts';
import { ledgerStateIn } from './ledger/verification.store.ts';
import { verificationRules } from './ledger/verification.ts';
import { walletRecords } from './member-records.store.ts';
import { creditingRules } from './purchases/crediting.ts';
import { purchaseOperations } from './purchases/purchases.operations.ts';
import { purchaseRules } from './purchases/purchases.ts';
import { reversingRules } from './purchases/reversing.ts';
import type { WalletSettings } from './settings.ts';
import { giftStore } from './transfers/gifts.store.ts';
import { transferOperations } from './transfers/transfers.operations.ts';
import { transferRules } from './transfers/transfers.ts';
import { walletAdministration } from './wallet.administration.ts';
import { walletNotices } from './wallet.notices.ts';
import { walletPublicEvents } from './wallet.public-events.ts';
import { closedWallets } from './wallets/closed-wallets.ts';
import { ownerRules } from './wallets/owners.ts';
import { walletOperations } from './wallets/wallets.operations.ts';
import { walletStore } from './wallets/wallets.store.ts';
import { type Users, walletRules } from './wallets/wallets.ts';
import { followUpRules } from './withdrawals/following-up.ts';
import { remainingKeysRules } from './withdrawals/remaining-keys.ts';
import { withdrawalSettlement } from './withdrawals/settlement.ts';
import { walletClosing } from './withdrawals/wallet-closing.ts';
import { withdrawalOperations } from './withdrawals/withdrawals.operations.ts';
import { withdrawalStore } from './withdrawals/withdrawals.store.ts';
import { withdrawalRules } from './withdrawals/withdrawals.ts';

interface WalletModuleDeps
  extends Pick<Core, 'database' | 'events' | 'jobs' | 'audit' | 'clock' | 'newId' | 'log'> {
  users: Users;
  merchant: Merchant;
  moderation: Pick<Moderation, 'mayApproach'>;
  settings: WalletSettings;
}

/** Wallet: Keys on a double-entry ledger, and their exchange rates. Owns the database schema `wallet`. */
export function walletModule({
  users,
  merchant,
  moderation,
  log,
  settings,
  ...shared
}: WalletModuleDeps): Module<Wallet> {
  const { database } = shared;
  const { stepUp } = users;
  const ledgerService = ledger({ ...shared, maxRemembered: settings.rememberedAccounts });
  const walletsStore = walletStore(database);
  const wallets = walletRules({ ...shared, store: walletsStore, ledger: ledgerService, users });
  const rates = exchangeRateRules({ ...shared, store: exchangeRateStore(database) });
  const alertOperators = operatorAlerts({ ...shared, log, actor: 'service:payments' });
  const purchases = purchaseRules({ merchant, wallets, ledger: ledgerService, rates, users, database });
  const withdrawalsStore = withdrawalStore(database);
  const withdrawals = withdrawalRules({
    store: withdrawalsStore,
    merchant,
    wallets,
    rates,
    ledger: ledgerService,
    stepUp,
    users,
  });
  const transfers = transferRules({ ...shared, wallets, stepUp, mayApproach: moderation.mayApproach });
  const closed = closedWallets({ ...shared, users, alertOperators });
  const move = moving(ledgerService, closed);
  const owners = ownerRules(users.contactsOf);
  const inspect = inspecting({ wallets, withdrawals, owners });
  const history = transactionStore(database);
  const allTransactions = allTransactionsRules({
    store: allTransactionsStore(database, history),
    merchant,
    owners,
  });
  const verification = verificationRules({
    ...shared,
    alertOperators: operatorAlerts({ ...shared, log, actor: 'service:ledger' }),
  });

  return {
    name: 'wallet',
    erasePerson: rates.erase,
    memberRecords: walletRecords,
    publicEvents: walletPublicEvents,
    seed: async () =>
      (await import('./wallet.seed.ts')).walletSeed({ database, transfer: transfers.transferFor }),
    sections: {
      Wallet: 'Keys: balance, transfers, purchases, withdrawals and history.',
      Ledger: 'Whether the books are sound, for administrators.',
      'Exchange rates': 'What a Key costs and is worth.',
    },
    service: {
      verify: verification.verify,
      stateIn: ledgerStateIn,
      transfer: transfers.transferFor,
      gifts: giftStore(database),
      keysFor: rates.priceInKeys,
      allKeysFor: rates.pricesInKeys,
    },
    balancesOf: async (userIds) => {
      const wallets = await walletsStore.findAll(userIds);
      return new Map(wallets.flatMap((wallet) => (wallet ? [[wallet.userId, wallet.balance] as const] : [])));
    },
    worklists: [{ name: 'withdrawals', read: withdrawalsStore.backlog }],
    ...walletAdministration({ store: history, payments: merchant.payments, inspect, verification }),
    notices: walletNotices,
    metrics: ledgerMetrics(verification.last, ledgerService.batchesAtOnce),
    operations: [
      ...walletOperations(wallets),
      ...administrationOperations({ wallets, inspect, owners }),
      ...allTransactionsOperations(allTransactions),
      ...checkoutOperations(checkoutRules({ ...shared, merchant, owners })),
      ...verificationOperations(verification),
      ...correctionOperations(
        debitRules({ ...shared, move, wallets: walletsStore, users }),
        reversalRules({ ...shared, move, users }),
      ),
      ...transferOperations(transfers),
      ...purchaseOperations(purchases),
      ...withdrawalOperations({
        withdrawals,
        followUp: followUpRules({ ...shared, store: withdrawalsStore, merchant, owners }),
        remaining: remainingKeysRules({
          ...shared,
          store: withdrawalsStore,
          wallets: walletsStore,
          withdrawals,
          closed,
          users,
        }),
      }),
      ...reportOperations({
        transactions: transactionRules(history, owners),
        statistics: statisticsRules(statisticsStore(database)),
        statements: statementRules(statementStore(database)),
      }),
      ...exchangeRateOperations(rates),
    ],
    jobs: [verification.nightly],
    subscriptions: [
      ...walletClosing({ store: walletsStore, withdrawals, ledger: ledgerService, clock: shared.clock }),
      ...creditingRules({ ledger: ledgerService, closed }),
      ...reversingRules({ ...shared, ledger: ledgerService, closed, alertOperators }),
      ...withdrawalSettlement({ ...shared, store: withdrawalsStore, ledger: ledgerService, closed }),
    ],
  };
}
