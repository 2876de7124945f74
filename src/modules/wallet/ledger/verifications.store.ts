import type { Database } from '../../../kernel/database/database.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Verification } from '../contract.ts';

/** The result of a verification. */
export interface Verified extends Verification {
  isWhole: boolean;
  at: Date;
}

/** What the next verification depends on. */
export interface Progress {
  /** Whether the latest verification found no fault; undefined before the first. */
  isSound: boolean;
  transactions: number;
  /** When the whole ledger was last verified. */
  wholeAt: Date | null;
  /** Whether there are proven heads: not if the latest verification was made by an older program. */
  hasHeads: boolean;
}

/** SQL of the results of verifications. */
export const verificationStore = (database: Database) => ({
  async insert(
    tx: Transaction,
    id: ObjectId,
    { at, isWhole, entries, transactions, inCirculation, head, faults }: Verified,
  ): Promise<void> {
    await tx.insert('wallet.verification', {
      id,
      entries,
      transactions,
      inCirculation,
      head,
      faults: JSON.stringify(faults),
      isWhole,
      verifiedAt: at,
    });
  },
  /** Returns the result of the latest verification, and when the whole ledger was last verified. */
  async latest(): Promise<(Verified & { wholeAt: Date | null }) | undefined> {
    return database.first<Verified & { wholeAt: Date | null }>(
      `select entries, transactions, in_circulation, head, faults, is_whole, verified_at as at,
         (select verified_at from wallet.verification where is_whole order by id desc limit 1) as whole_at
       from wallet.verification order by id desc limit 1`,
    );
  },
  progress: (): Promise<Progress | undefined> =>
    database.first<Progress>(
      `select jsonb_array_length(faults) = 0 as is_sound, transactions,
         (select verified_at from wallet.verification where is_whole order by id desc limit 1) as whole_at,
         exists (select from wallet.proven_head) as has_heads
       from wallet.verification order by id desc limit 1`,
    ),
  /** Returns the number of invariants that the latest verification found violated, its time, and that of the latest whole one. */
  async last(): Promise<{ faults: number; at: Date; wholeAt: Date | null } | undefined> {
    return database.first<{ faults: number; at: Date; wholeAt: Date | null }>(
      `select jsonb_array_length(faults) as faults, verified_at as at,
         (select verified_at from wallet.verification where is_whole order by id desc limit 1) as whole_at
       from wallet.verification order by id desc limit 1`,
    );
  },
});
