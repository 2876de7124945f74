import type { Transaction } from '../../kernel/database/queries.ts';
import type { Report } from './contract.ts';

type Item = Pick<Report, 'kind' | 'subjectId'>;

/** SQL of what removals have left of items, by its digest. */
export const remainsStore = {
  /** Stores what is left with the reports that were resolved by the removal. */
  keep: async (tx: Transaction, { kind, subjectId }: Item, at: Date, digest: Buffer): Promise<void> => {
    await tx.execute(
      `update moderation.report set left_digest = $4
       where kind = $1 and subject_id = $2 and status = 'removed' and resolved_at = $3`,
      [kind, subjectId, at, digest],
    );
  },
  /** Returns whether a text is what a removal has left of an item; served by report_of_item. */
  areKnown: async (tx: Transaction, { kind, subjectId }: Item, digest: Buffer): Promise<boolean> =>
    (await tx.first(
      `select 1 as found from moderation.report
       where kind = $1 and subject_id = $2 and status = 'removed' and left_digest = $3 limit 1`,
      [kind, subjectId, digest],
    )) !== undefined,
};
