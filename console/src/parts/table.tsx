import type { ComponentChildren } from 'preact';
import type { Query } from '../query.ts';
import { Failed } from './note.tsx';

export interface Column<Row> {
  head: string;
  cell: (row: Row) => ComponentChildren;
  /** Amounts stand at the right. */
  isNumber?: boolean;
}

interface TableParts<Row> {
  /** What the rows are, for people who cannot see the page. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
}

/** Rows of something; below 640 px each row is a card with its labels. */
const Table = <Row,>({ caption, columns, rows, keyOf }: TableParts<Row>) => (
  // The roles stay where small screens display the elements as blocks, which removes their own.
  <table role="table">
    <caption class="hidden">{caption}</caption>
    <thead>
      <tr role="row">
        {columns.map(({ head, isNumber }) => (
          <th key={head} scope="col" role="columnheader" class={isNumber ? 'number' : undefined}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)} role="row">
          {columns.map(({ head, cell, isNumber }) => (
            <td key={head} role="cell" data-label={head} class={isNumber ? 'number' : undefined}>
              <div>{cell(row)}</div>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

interface ListParts<Row> extends Omit<TableParts<Row>, 'rows'> {
  query: Query<{ items: Row[] }>;
  /** What the list holds, for the sentence that it could not be read. */
  what: string;
  /** Shown where there is no row. */
  empty: ComponentChildren;
}

/** A table that is being read, could not be read, is empty, or has rows. Old rows stay until new ones have come. */
export function List<Row>({ query, what, empty, ...table }: ListParts<Row>) {
  const { data, error, isLoading, reload } = query;
  return (
    <div class="rows" aria-busy={isLoading}>
      {error !== undefined && <Failed what={`${what} could not be read`} error={error} retry={reload} />}
      {data === undefined ? (
        error === undefined && <Loading />
      ) : data.items.length > 0 ? (
        <Table {...table} rows={data.items} />
      ) : (
        <p class="empty">{empty}</p>
      )}
    </div>
  );
}

/** Grey bars, which appear only if it takes long. */
export const Loading = () => (
  <div class="loading" role="status">
    <span class="hidden">Reading</span>
    <i />
    <i />
    <i />
  </div>
);
