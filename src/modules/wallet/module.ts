import type { Core } from '../../kernel/core.ts';
import { operatorAlerts } from '../../kernel/records/alerts.ts';
import type { Merchant } from '../merchant/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import { administrationOperations } from './administration/administration.operations.ts';
import type { Verification, Wallet } from './contract.ts';
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
import { verificationRules } from './ledger/verification.ts';
import { creditingRules } from './purchases/crediting.ts';
import { purchaseOperations } from './purchases/purchases.operations.ts';
import { purchaseRules } from './purchases/purchases.ts';
import { reversingRules } from './purchases/reversing.ts';
import type { WalletSettings } from './settings.ts';
import { giftStore } from './transfers/gifts.store.ts';
import { transferOperations } from './transfers/transfers.operations.ts';
import { transferRules } from './transfers/transfers.ts';
import { walletNotices } from './wallet.notices.ts';
import { ownerRules } from './wallets/owners.ts';
import { walletOperations } from './wallets/wallets.operations.ts';
import { walletStore } from './wallets/wallets.store.ts';
import { type Users, walletRules } from './wallets/wallets.ts';
import { endingRules } from './withdrawals/ending.ts';
import { leavingRules } from './withdrawals/leaving.ts';
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
  const ledgerService = ledger({ ...shared, maxRemembered: settings.rememberedAccounts });
  const walletsStore = walletStore(database);
  const wallets = walletRules({ ...shared, store: walletsStore, ledger: ledgerService, users });
  const rates = exchangeRateRules({ ...shared, store: exchangeRateStore(database) });
  const alertOperators = operatorAlerts({ ...shared, log, actor: 'service:payments' });
  const purchases = purchaseRules({ merchant, wallets, rates });
  const withdrawalsStore = withdrawalStore(database);
  const withdrawals = withdrawalRules({
    store: withdrawalsStore,
    merchant,
    wallets,
    rates,
    ledger: ledgerService,
  });
  const transfers = transferRules({ ...shared, wallets, mayApproach: moderation.mayApproach });
  const move = moving(ledgerService);
  const owners = ownerRules(users.contactsOf);
  const onFaults = ({ faults }: Verification) => log.error({ faults }, 'THE LEDGER IS NOT SOUND');
  const verification = verificationRules({ ...shared, onFaults });

  return {
    name: 'wallet',
    seed: async () =>
      (await import('./wallet.seed.ts')).walletSeed({ database, transfer: transfers.transferFor }),
    sections: {
      Wallet: 'Keys: balance, transfers, purchases, withdrawals and history.',
      Ledger: 'Whether the books are sound, for administrators.',
      'Exchange rates': 'What a Key costs and is worth.',
    },
    service: {
      verify: verification.verify,
      transfer: transfers.transferFor,
      gifts: giftStore(database),
      keysFor: rates.priceInKeys,
    },
    balancesOf: async (userIds) => {
      const wallets = await walletsStore.findAll(userIds);
      return new Map(wallets.flatMap((wallet) => (wallet ? [[wallet.userId, wallet.balance] as const] : [])));
    },
    notices: walletNotices,
    metrics: ledgerMetrics(verification.last, ledgerService.batchesAtOnce),
    operations: [
      ...walletOperations(wallets),
      ...administrationOperations({ wallets, withdrawals, owners }),
      ...verificationOperations(verification),
      ...correctionOperations(
        debitRules({ ...shared, move, wallets: walletsStore, users }),
        reversalRules({ ...shared, move, users }),
      ),
      ...transferOperations(transfers),
      ...purchaseOperations(purchases),
      ...withdrawalOperations({ withdrawals, owners }),
      ...reportOperations({
        transactions: transactionRules(transactionStore(database)),
        statistics: statisticsRules(statisticsStore(database)),
        statements: statementRules(statementStore(database)),
      }),
      ...exchangeRateOperations(rates),
    ],
    jobs: [verification.nightly],
    subscriptions: [
      ...leavingRules({ store: walletsStore, withdrawals, ledger: ledgerService, clock: shared.clock }),
      ...creditingRules({ ledger: ledgerService, users, alertOperators }),
      ...reversingRules({ ledger: ledgerService, alertOperators }),
      ...endingRules({ ...shared, store: withdrawalsStore, ledger: ledgerService }),
    ],
  };
}
