// Rows of long pages as one text each. The driver makes a string, a call and a property of each value of each row, which
// takes it several times as long as splitting a text; to PostgreSQL both are the same.

/** ASCII's separator of units. JSON escapes it, and words, numbers and times do not have it. */
const SEPARATOR = '\x1f';

export interface PackedRow {
  packed: string;
}

/**
 * Returns the column `packed` of a select list, which has the texts of all columns. Only the last one may be text that
 * people have written, and those that may be null must be {@link orEmpty}.
 */
export const packedColumns = (columns: string[]): string =>
  `concat_ws(e'\\x1f', ${columns.join(', ')}) as packed`;

/** Returns the expression of a column that may be null, which then arrives as ''. */
export const orEmpty = (column: string): string => `coalesce(${column}::text, '')`;

/**
 * Returns the texts of the columns of a packed row.
 * @throws if a column was null without being {@link orEmpty}, since those after it would be taken for others
 */
export function unpacked({ packed }: PackedRow, columnCount: number): string[] {
  const texts = packed.split(SEPARATOR);
  if (texts.length < columnCount) throw new Error('a packed row lacks a column');
  if (texts.length > columnCount) texts.push(texts.splice(columnCount - 1).join(SEPARATOR));
  return texts;
}
