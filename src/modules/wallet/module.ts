import type { Logger } from 'pino';
import { operatorAlerts } from '../../kernel/alerts.ts';
import type { Audit } from '../../kernel/audit.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Events } from '../../kernel/events.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Module } from '../contract.ts';
import type { Merchant } from '../merchant/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Verification, Wallet } from './contract.ts';
import { exchangeRateOperations } from './exchange-rates.operations.ts';
import { exchangeRateStore } from './exchange-rates.store.ts';
import { exchangeRateRules } from './exchange-rates.ts';
import { giftStore } from './gifts.store.ts';
import { ledgerMetrics } from './ledger.metrics.ts';
import { ledger } from './ledger.ts';
import { moneyOperations } from './money.operations.ts';
import { ownerRules } from './owners.ts';
import { purchaseRules } from './purchases.ts';
import { reportOperations } from './reports.operations.ts';
import { statementStore } from './statements.store.ts';
import { statementRules } from './statements.ts';
import { statisticsStore } from './statistics.store.ts';
import { transactionStore } from './transactions.store.ts';
import { transferOperations } from './transfers.operations.ts';
import { transferRules } from './transfers.ts';
import { verificationRules } from './verification.ts';
import { walletNotices } from './wallet.notices.ts';
import { walletOperations } from './wallets.operations.ts';
import { walletStore } from './wallets.store.ts';
import { type Users, walletRules } from './wallets.ts';
import { withdrawalStore } from './withdrawals.store.ts';
import { withdrawalRules } from './withdrawals.ts';

interface WalletModuleDeps {
  database: Database;
  events: Events;
  audit: Audit;
  users: Users;
  merchant: Merchant;
  moderation: Pick<Moderation, 'mayApproach'>;
  clock: Clock;
  newId: NewId;
  log: Logger;
  /** Maximum number of accounts that the ledger remembers between batches. */
  maxRemembered: number;
}

/** Wallet: Keys on a double-entry ledger, and their exchange rates. Owns the database schema `wallet`. */
export function walletModule({
  users,
  merchant,
  moderation,
  log,
  maxRemembered,
  ...shared
}: WalletModuleDeps): Module<Wallet> {
  const { database } = shared;
  const ledgerService = ledger({ ...shared, maxRemembered });
  const wallets = walletRules({ ...shared, store: walletStore(database), ledger: ledgerService, users });
  const rates = exchangeRateRules({ ...shared, store: exchangeRateStore(database) });
  const tellOperators = operatorAlerts({ ...shared, log, actor: 'service:payments' });
  const purchases = purchaseRules({ merchant, wallets, rates, ledger: ledgerService, users, tellOperators });
  const withdrawals = withdrawalRules({
    ...shared,
    merchant,
    wallets,
    rates,
    ledger: ledgerService,
    store: withdrawalStore(database),
  });
  const transfers = transferRules({ ...shared, wallets, mayApproach: moderation.mayApproach });
  const owners = ownerRules(users.contactsOf);
  const onFaults = ({ faults }: Verification) => log.error({ faults }, 'THE LEDGER IS NOT SOUND');
  const verification = verificationRules({ ...shared, onFaults });

  return {
    name: 'wallet',
    service: {
      verify: verification.verify,
      transfer: transfers.transferFor,
      gifts: giftStore(database),
      keysFor: rates.priceInKeys,
    },
    notices: walletNotices,
    metrics: ledgerMetrics(verification.last, ledgerService.batchesAtOnce),
    operations: [
      ...walletOperations({ wallets, withdrawals, owners }),
      ...transferOperations(transfers),
      ...moneyOperations({ purchases, withdrawals, owners }),
      ...reportOperations({
        transactions: transactionStore(database),
        statistics: statisticsStore(database),
        statements: statementRules(statementStore(database)),
      }),
      ...exchangeRateOperations(rates),
    ],
    jobs: [verification.nightly],
    subscriptions: [...wallets.subscriptions, ...purchases.subscriptions, ...withdrawals.subscriptions],
  };
}
