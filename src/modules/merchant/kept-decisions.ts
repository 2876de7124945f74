import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { isOpen } from './payout-states.ts';
import type { Payout } from './payouts.model.ts';
import type { PayoutStore } from './payouts.store.ts';

interface KeptDecisionDeps extends Pick<Core, 'database'> {
  store: Pick<PayoutStore, 'lock' | 'dropDecision'>;
}

/** Decisions about payouts that were answered with 503, because the provider could not be reached. */
export function keptDecisions({ store, database }: KeptDecisionDeps) {
  /**
   * Whether a decision to stop a payout was answered with 503 and waits to be carried out. One that it was paid by hand is
   * dropped: nobody was told that it holds, and if the payout were cancelled later the Keys would be gone unpaid.
   */
  async function isToBeStopped({ id, ending, decisionId }: Payout): Promise<boolean> {
    if (ending === null || decisionId === null) return false;
    if (ending !== 'paid') return true;
    await database.transaction((tx) => store.dropDecision(tx, id, decisionId));
    return false;
  }

  /** Drops a decision that came too late: the provider cannot cancel the payout. */
  async function dropUnlessEnded(tx: Transaction, { id, decisionId }: Payout): Promise<void> {
    const now = (await store.lock(tx, id)) as Payout;
    if (isOpen(now) && decisionId !== null) await store.dropDecision(tx, id, decisionId);
  }

  return { isToBeStopped, dropUnlessEnded };
}
