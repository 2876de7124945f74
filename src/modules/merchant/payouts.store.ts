import { CURRENCY } from '../../external/payment/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { PayoutDecision, PayoutFacts, PayoutOutcome } from './contract.ts';
import { dueStore } from './due.store.ts';
import type { Payout } from './payouts.model.ts';

const COLUMNS =
  'id, reference, user_id, cents, status, provider_id, ending, reason, decision_id, decision, created_at, attempts, mispaid, paid_cents, paid_currency';

export function payoutStore(database: Database) {
  const lockBy = (column: 'id' | 'reference') => (tx: Transaction, value: string) =>
    tx.first<Payout>(`select ${COLUMNS} from merchant.payout where ${column} = $1 for update`, [value]);
  return {
    async insert(
      tx: Transaction,
      { id, reference, userId, cents }: Pick<Payout, 'id' | 'reference' | 'userId' | 'cents'>,
      at: Date,
    ): Promise<void> {
      await tx.insert('merchant.payout', {
        id,
        reference,
        userId,
        cents,
        status: 'queued',
        createdAt: at,
        nextCheckAt: at,
      });
    },
    lock: lockBy('id'),
    lockByReference: lockBy('reference'),
    async setStatus(tx: Transaction, id: ObjectId, status: Payout['status']): Promise<void> {
      await tx.execute('update merchant.payout set status = $2 where id = $1', [id, status]);
    },
    async setMispaid(
      tx: Transaction,
      id: ObjectId,
      paid: { cents: number; currency: string },
    ): Promise<void> {
      await tx.execute(
        'update merchant.payout set mispaid = true, paid_cents = $2, paid_currency = $3 where id = $1',
        [id, paid.cents, paid.currency],
      );
    },
    async setProviderId(tx: Transaction, id: ObjectId, providerId: string): Promise<void> {
      await tx.execute('update merchant.payout set provider_id = $2 where id = $1', [id, providerId]);
    },
    /** Stores a decision, replacing an earlier one. */
    async setDecision(tx: Transaction, id: ObjectId, decision: PayoutDecision): Promise<void> {
      await tx.execute(
        'update merchant.payout set ending = $2, reason = $3, decision_id = $4, decision = $5 where id = $1',
        [id, decision.outcome, decision.reason, decision.id, JSON.stringify(decision.details)],
      );
    },
    /** Deletes a decision that had no effect, unless another one has replaced it. */
    async dropDecision(tx: Transaction, id: ObjectId, decisionId: string): Promise<void> {
      await tx.execute(
        `update merchant.payout set ending = null, reason = null, decision_id = null, decision = null
         where id = $1 and decision_id = $2`,
        [id, decisionId],
      );
    },
    /** @param decisionId the decision that ended it; null deletes any stored decision */
    async settle(
      tx: Transaction,
      id: ObjectId,
      ended: { outcome: PayoutOutcome; reason: string; decisionId: string | null; at: Date },
    ): Promise<void> {
      await tx.execute(
        `update merchant.payout set status = $2, reason = $3, settled_at = $4, next_check_at = null,
           decision_id = $5,
           ending = case when $5::text is null then null else ending end,
           decision = case when $5::text is null then null else decision end
         where id = $1`,
        [id, ended.outcome, ended.reason, ended.at, ended.decisionId],
      );
    },
    find: (reference: string): Promise<Payout | undefined> =>
      database.first(`select ${COLUMNS} from merchant.payout where reference = $1`, [reference]),
    /** Returns the references of payouts with this id, or this name at the provider. */
    async referencesOf(text: string): Promise<string[]> {
      const found = await database.all<{ reference: string }>(
        `select reference from merchant.payout where id = $1 union
         select reference from merchant.payout where provider_id = $1 limit 20`,
        [text],
      );
      return found.map(({ reference }) => reference);
    },
    /** Returns the facts of payouts by their references, in no particular order. */
    factsOf: (references: string[]): Promise<PayoutFacts[]> =>
      database.all(
        `select id, reference, provider_id, status, attempts,
           case
             when status in ('failed', 'cancelled', 'returned', 'overpaid') then reason
             when paid_cents is not null then
               'paid with ' || round(paid_cents / 100.0, 2) || ' ' || paid_currency ||
               ' instead of ' || round(cents / 100.0, 2) || ' ' || $2
             else last_error
           end as last_error
         from merchant.payout where reference = any($1)`,
        [references, CURRENCY],
      ),
    due: dueStore<Payout>(database, 'merchant.payout', COLUMNS),
  };
}

export type PayoutStore = ReturnType<typeof payoutStore>;
