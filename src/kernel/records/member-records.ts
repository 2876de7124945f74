import { MOST_COUNTED } from '../database/pagination.ts';
import { type Queries, type Statement, statement } from '../database/queries.ts';
import type { ObjectId } from '../ids.ts';

/** One kind of records about members, and whether the deletion of an account erases it. */
export interface MemberRecords {
  /** In camelCase: `roomMemberships`. */
  name: string;
  /** Whether they are erased with the account; otherwise they stay under the id, without a name. */
  isErased: boolean;
  /** The tables that hold them, such as `trades.trade`; each table with a member's id belongs to a kind. */
  tables: string[];
  /** Counts those of a member, as {@link counting} does; absent where no index leads to them. */
  count?: Statement<{ count: number }>;
  /** The parts of a member's data export that contain them; {@link exporting} makes an area. */
  exported?: ExportedArea[];
}

/** A file of JSON lines in the export of a member's data. */
export interface ExportedArea {
  /** In lower-case words with hyphens; the file is called `<name>.jsonl`. */
  name: string;
  /** What the file holds, for the README of the export. */
  about: string;
  /** The fields with texts by others, in which the names of administrators are replaced. */
  wordsOfOthers: string[];
  /** Reads rows of the member `$1` after the cursor `$2`, '' at first: at least {@link EXPORTED_AT_ONCE}, or all that are left. */
  page: Statement<ExportedRow>;
  /** Returns the row as the API shows it, where SQL alone does not. */
  shown?: (row: ExportedRow) => ExportedRow;
}

/** A row as it stands in the file, without these two fields. */
export interface ExportedRow {
  cursor: string | number;
  /** Whether the row only advances the cursor past records that do not belong in the file. */
  isLeftOut?: boolean;
  [field: string]: unknown;
}

/** Few enough that the longest records fit into memory. */
export const EXPORTED_AT_ONCE = 200;

interface Exporting {
  about: string;
  /** The fields of a line; none may be a secret, a name of somebody else, or the id of an administrator who acted. */
  columns: string;
  /** The table and its condition, with the member as `$1`. */
  from: string;
  /** The text that orders the member's rows; `id` by default. */
  key?: string;
  /** Whether a member has few of them, so that each page may read all; otherwise an index must order them by the key. */
  areFew?: boolean;
  /** As in {@link ExportedArea}. */
  wordsOfOthers?: string[];
}

/** Returns an area whose rows are ordered by one text, such as their id. */
export const exporting = (
  name: string,
  { about, columns, from, key = 'id', areFew = false, wordsOfOthers = [] }: Exporting,
): ExportedArea =>
  exportingBy(name, {
    about,
    wordsOfOthers,
    // Without `materialized` the planner may read the whole table in the order of its ids.
    page: areFew
      ? `with own as materialized (select ${columns}, ${key} as cursor from ${from})
         select * from own where cursor > $2 order by cursor limit ${EXPORTED_AT_ONCE}`
      : `select ${columns}, ${key} as cursor from ${from} and ${key} > $2
         order by ${key} limit ${EXPORTED_AT_ONCE}`,
  });

/** Returns an area with a statement of its own. */
export const exportingBy = (
  name: string,
  {
    about,
    page,
    wordsOfOthers = [],
    shown,
  }: Pick<Exporting, 'about' | 'wordsOfOthers'> & Pick<ExportedArea, 'shown'> & { page: string },
): ExportedArea => ({
  name,
  about,
  wordsOfOthers,
  page: statement(`export of ${name}`, page),
  ...(shown && { shown }),
});

/**
 * Returns the statement that counts a member's records up to one more than {@link MOST_COUNTED}.
 * @param from the table and its condition, with the member as `$1`
 */
export const counting = (name: string, from: string): Statement<{ count: number }> =>
  statement(name, `select count(*) from (select 1 from ${from} limit ${MOST_COUNTED + 1}) counted`);

/** The number of records of a kind. */
export interface CountedRecords {
  name: string;
  /** At most {@link MOST_COUNTED}; null where they are not counted. */
  count: number | null;
}

/**
 * Returns the kinds of records that a deletion of the member would erase, and those that it would keep, omitting
 * empty ones.
 */
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
