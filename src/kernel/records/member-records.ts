import { MOST_COUNTED } from '../database/pagination.ts';
import { type Queries, type Statement, statement } from '../database/queries.ts';
import type { ObjectId } from '../ids.ts';

/** One kind of records about members, and what the deletion of their account does with it. */
export interface MemberRecords {
  /** In camelCase: `roomMemberships`. */
  name: string;
  /** Whether they are erased with the account; otherwise they stay under the id, without a name. */
  isErased: boolean;
  /** The tables that hold them, such as `trades.trade`; each table with a member's id belongs to a kind. */
  tables: string[];
  /** Counts those of a member, as {@link counting} does; absent where no index leads to them. */
  count?: Statement<{ count: number }>;
}

/**
 * Returns the statement that counts a member's records up to one more than {@link MOST_COUNTED}.
 * @param from the table and its condition, with the member as `$1`
 */
export const counting = (name: string, from: string): Statement<{ count: number }> =>
  statement(name, `select count(*) from (select 1 from ${from} limit ${MOST_COUNTED + 1}) counted`);

/** How many records there are of a kind. */
export interface CountedRecords {
  name: string;
  /** At most {@link MOST_COUNTED}; null where they are not counted. */
  count: number | null;
}

/** Returns what a deletion erases of a member and what it keeps, without the kinds of which there is nothing. */
export async function countRecords(
  queries: Queries,
  userId: ObjectId,
  kinds: MemberRecords[],
): Promise<{ erased: CountedRecords[]; kept: CountedRecords[] }> {
  const erased: CountedRecords[] = [];
  const kept: CountedRecords[] = [];
  for (const { name, isErased, count } of kinds) {
    const counted = count && Math.min(await queries.count(count, [userId]), MOST_COUNTED);
    if (counted === 0) continue;
    (isErased ? erased : kept).push({ name, count: counted ?? null });
  }
  return { erased, kept };
}
