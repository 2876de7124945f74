import type { Database } from '../../../kernel/database/database.ts';
import { statement } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { EntryRange, Period } from './entry-ranges.model.ts';

const range = statement<EntryRange>(
  'wallet.entry-range',
  `select id as "accountId",
     case when $2::timestamptz is null then 0
       else wallet.seq_at(id, last_seq, $2::timestamptz - interval '1 microsecond') end as after,
     case when $3::timestamptz is null then last_seq else wallet.seq_at(id, last_seq, $3::timestamptz) end as "upTo"
   from wallet.account where name = $1`,
);

/** Returns the entries of a user's wallet within a period; undefined without a wallet. */
export async function entryRangeOf(
  database: Database,
  userId: ObjectId,
  { from, to }: Period,
): Promise<EntryRange | undefined> {
  const [found] = await database.all(range, [`wallet:${userId}`, from ?? null, to ?? null]);
  return found && { ...found, upTo: Math.max(found.after, found.upTo) };
}
