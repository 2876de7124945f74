import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { PayoutOutcome } from './contract.ts';
import { takeDue } from './due.store.ts';

export interface Payout {
  id: ObjectId;
  reference: string;
  userId: ObjectId;
  cents: number;
  status: 'queued' | 'submitting' | 'submitted' | PayoutOutcome;
  providerId: string | null;
  ending: PayoutOutcome | null;
  reason: string | null;
}

const COLUMNS = `id, reference, user_id as "userId", cents, status, provider_id as "providerId", ending, reason`;

export function payoutStore(database: Database) {
  const lockBy = (column: 'id' | 'reference') => async (tx: Transaction, value: string) =>
    (await tx.sql(`select ${COLUMNS} from merchant.payout where ${column} = $1 for update`, [value]))
      .rows[0] as unknown as Payout | undefined;
  return {
    async insert(
      tx: Transaction,
      { id, reference, userId, cents }: Pick<Payout, 'id' | 'reference' | 'userId' | 'cents'>,
      at: Date,
    ): Promise<void> {
      await tx.sql(
        `insert into merchant.payout (id, reference, user_id, cents, status, created_at, next_check_at)
         values ($1, $2, $3, $4, 'queued', $5, $5)`,
        [id, reference, userId, cents, at],
      );
    },
    lock: lockBy('id'),
    lockByReference: lockBy('reference'),
    async change(
      tx: Transaction,
      id: ObjectId,
      { status, providerId, ending, reason }: Partial<Payout>,
    ): Promise<void> {
      await tx.sql(
        `update merchant.payout set status = coalesce($2, status), provider_id = coalesce($3, provider_id),
           ending = coalesce($4, ending), reason = coalesce($5, reason) where id = $1`,
        [id, status ?? null, providerId ?? null, ending ?? null, reason ?? null],
      );
    },
    async settle(
      tx: Transaction,
      id: ObjectId,
      { outcome, reason, at }: { outcome: PayoutOutcome; reason: string; at: Date },
    ): Promise<void> {
      await tx.sql(
        'update merchant.payout set status = $2, reason = $3, settled_at = $4, next_check_at = null where id = $1',
        [id, outcome, reason, at],
      );
    },
    takeDue: takeDue<Payout>(database, 'merchant.payout', COLUMNS),
  };
}

export type PayoutStore = ReturnType<typeof payoutStore>;
