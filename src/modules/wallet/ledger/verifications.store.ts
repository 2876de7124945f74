import type { Database } from '../../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Verification } from '../contract.ts';

/** The result of a verification. */
export interface Verified extends Verification {
  isWhole: boolean;
  at: Date;
}

/** The result that holds. */
interface Latest extends Omit<Verified, 'issued'> {
  /** Null in one of an older program. */
  issued: number | null;
  /** When the whole ledger was last verified. */
  wholeAt: Date | null;
}

/** What the next verification depends on. */
export interface Progress {
  /** Whether the ledger is sound by the result that holds. */
  isSound: boolean;
  transactions: number;
  /** When the whole ledger was last verified. */
  wholeAt: Date | null;
  /** Whether there are proven heads: not if the latest verification was made by an older program. */
  hasHeads: boolean;
}

/**
 * The result that holds: the newest, unless an earlier one found a fault that no whole verification begun after it has
 * found gone. Ids are made when a verification begins, and several may run at once: a short one must not outrank a long
 * one that began before and found what the short one does not look at.
 */
const STANDING = `wallet.verification order by (jsonb_array_length(faults) > 0 and not exists (
    select from wallet.verification later
    where later.is_whole and later.id > verification.id and jsonb_array_length(later.faults) = 0)) desc, id desc limit 1`;
const WHOLE_AT = '(select verified_at from wallet.verification where is_whole order by id desc limit 1)';

/** SQL of the results of verifications. */
export const verificationStore = (database: Database) => ({
  async insert(
    tx: Transaction,
    id: ObjectId,
    { at, isWhole, entries, transactions, issued, inCirculation, head, faults }: Verified,
  ): Promise<void> {
    await tx.insert('wallet.verification', {
      id,
      entries,
      transactions,
      issued,
      inCirculation,
      head,
      faults: JSON.stringify(faults),
      isWhole,
      verifiedAt: at,
    });
  },
  /** Returns the result that holds, and when the whole ledger was last verified. */
  async latest(): Promise<Latest | undefined> {
    return database.first<Latest>(
      `select entries, transactions, issued, in_circulation, head, faults, is_whole, verified_at as at, ${WHOLE_AT} as whole_at
       from ${STANDING}`,
    );
  },
  progress: (queries: Queries = database): Promise<Progress | undefined> =>
    queries.first<Progress>(
      `select jsonb_array_length(faults) = 0 as is_sound, transactions, ${WHOLE_AT} as whole_at,
         exists (select from wallet.proven_head) as has_heads
       from ${STANDING}`,
    ),
  /** Returns the number of violated invariants by the result that holds, its time, and that of the latest whole one. */
  async last(): Promise<{ faults: number; at: Date; wholeAt: Date | null } | undefined> {
    return database.first<{ faults: number; at: Date; wholeAt: Date | null }>(
      `select jsonb_array_length(faults) as faults, verified_at as at, ${WHOLE_AT} as whole_at from ${STANDING}`,
    );
  },
});
