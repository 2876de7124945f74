import type { Audit } from '../../kernel/audit.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Module } from '../../kernel/module.ts';
import type { Clock } from '../../kernel/time.ts';
import { ledger } from './ledger.ts';
import { transactionStore } from './transactions.store.ts';
import { transferOperations } from './transfers.operations.ts';
import { transferRules } from './transfers.ts';
import { walletOperations } from './wallets.operations.ts';
import { walletStore } from './wallets.store.ts';
import { type Users, walletRules } from './wallets.ts';

interface WalletModuleNeeds {
  database: Database;
  audit: Audit;
  users: Users;
  clock: Clock;
  newId: NewId;
}

/** Wallet: Keys on a double-entry ledger. Owns the database schema `wallet`. */
export function walletModule({ database, audit, users, clock, newId }: WalletModuleNeeds): Module<object> {
  const wallets = walletRules({
    store: walletStore(database),
    ledger: ledger({ database, clock, newId }),
    users,
    database,
    audit,
    clock,
    newId,
  });
  const transfers = transferRules({ wallets, audit, clock });

  return {
    name: 'wallet',
    door: {},
    operations: [...walletOperations(wallets), ...transferOperations(transfers, transactionStore(database))],
    migrations: new URL('./migrations/', import.meta.url),
  };
}
