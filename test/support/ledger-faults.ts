import type { Database } from '../../src/kernel/database/database.ts';
import { verifyLedger } from '../../src/modules/wallet/ledger/verification.store.ts';

/** The names of the ledger's invariants that do not hold. */
export const ledgerFaults = async (database: Database): Promise<string[]> =>
  (await verifyLedger(database)).faults.map(({ invariant, at }) => `${invariant}: ${at.join('; ')}`);
