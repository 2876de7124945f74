import { Type } from 'typebox';
import { type CsvCell, csvLine } from '../text/csv.ts';
import { Streamed } from './operation.ts';
import { oneOf } from './shapes.ts';

/** Maximum number of rows in a CSV file, which follow the order of the list. */
const MAX_ROWS = 100_000;
const ROWS_PER_READ = 1_000;

/** The query parameter of lists that are also available as a file. */
export const csvQuery = {
  format: Type.Optional(
    oneOf(['json', 'csv'], {
      description: `\`csv\` returns all that matches as a file, at most ${MAX_ROWS.toLocaleString('en')} rows`,
    }),
  ),
};

/** Returns the value of a column for a row. */
export type CsvColumns<Row> = Record<string, (row: Row) => CsvCell>;

/**
 * Returns a list as a CSV file (RFC 4180), which is read and sent page by page.
 * @param readAfter returns the rows after the given one, or the first rows
 */
export const csvFile = <Row>(
  fileName: string,
  columns: CsvColumns<Row>,
  readAfter: (after: Row | undefined, limit: number) => Promise<Row[]>,
): Streamed =>
  new Streamed({
    kind: 'text',
    contentType: 'text/csv; charset=utf-8',
    fileName,
    chunks: linesOf(columns, readAfter),
  });

async function* linesOf<Row>(
  columns: CsvColumns<Row>,
  readAfter: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<string> {
  yield csvLine(...Object.keys(columns));
  let last: Row | undefined;
  for (let sent = 0; sent < MAX_ROWS; sent += ROWS_PER_READ) {
    const rows = await readAfter(last, ROWS_PER_READ);
    yield rows.map((row) => csvLine(...Object.values(columns).map((cellOf) => cellOf(row)))).join('');
    if (rows.length < ROWS_PER_READ) return;
    last = rows.at(-1);
  }
}
