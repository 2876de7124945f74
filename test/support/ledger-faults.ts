import type { Database } from '../../src/kernel/database/database.ts';
import { verifyLedger } from '../../src/modules/wallet/ledger/verification.store.ts';

/** Returns the names of the ledger's broken invariants. */
export const ledgerFaults = async (database: Database): Promise<string[]> =>
  (await verifyLedger(database)).faults.map(({ invariant, at }) => `${invariant}: ${at.join('; ')}`);
