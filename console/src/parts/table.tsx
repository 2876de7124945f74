import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Query } from '../query.ts';
import { to, usePlace } from '../router.ts';
import { Empty, Failed } from './note.tsx';

export interface Column<Row> {
  head: string;
  cell: (row: Row) => ComponentChildren;
  /** Aligns the cells to the right. */
  isNumber?: boolean;
  /** Text written by people, which may be long: the column gets more room, and long words are broken. */
  isText?: boolean;
  /** Text that gets twice the room of other text columns. */
  isWide?: boolean;
  /** Sorts in the browser, for lists that are shown completely. */
  by?: (row: Row) => string | number;
  /** The values of `sort` to request from the server, for lists with pages. */
  sorts?: [ascending: string, descending: string];
}

/** The selected rows of a table, by their keys. */
interface Selection {
  has: (key: string) => boolean;
  toggle: (keys: string[], isChosen: boolean) => void;
}

interface TableParts<Row> {
  /** What the rows are, for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  /** The name of a row, for the label of its checkbox. */
  nameOf?: ((row: Row) => string) | undefined;
  selection?: Selection | undefined;
}

/** A table; on screens below 640 px each row is a card with labelled values. */
const Table = <Row,>({ caption, columns, rows, keyOf, nameOf, selection }: TableParts<Row>) => {
  const sorted = useSorted(columns, rows);
  return (
    // Explicit roles: small screens display the elements as blocks, which removes their implicit ones.
    <table role="table">
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr role="row">
          {selection && (
            <th scope="col" role="columnheader" class="choice">
              <All keys={rows.map(keyOf)} selection={selection} />
            </th>
          )}
          {columns.map((column) => (
            <Head key={column.head} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {sorted.map((row) => {
          const key = keyOf(row);
          return (
            <tr key={key} role="row" class={selection?.has(key) ? 'chosen' : undefined}>
              {selection && (
                <td role="cell" class="choice">
                  <input
                    type="checkbox"
                    aria-label={`Choose ${nameOf?.(row) ?? key}`}
                    checked={selection.has(key)}
                    onChange={(event) => selection.toggle([key], event.currentTarget.checked)}
                  />
                </td>
              )}
              {columns.map(({ head, cell, ...column }) => (
                <td
                  key={head}
                  role="cell"
                  data-label={head}
                  class={head === '' ? 'row-acts' : classOf(column)}
                >
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

const classOf = ({ isNumber, isText, isWide }: Pick<Column<never>, 'isNumber' | 'isText' | 'isWide'>) =>
  isNumber ? 'number' : isWide ? 'text wide' : isText ? 'text' : undefined;

/** A checkbox that selects all rows of this page. */
function All({ keys, selection }: { keys: string[]; selection: Selection }) {
  const box = useRef<HTMLInputElement>(null);
  const chosen = keys.filter(selection.has).length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && chosen < keys.length;
  }, [chosen, keys.length]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label="Choose all rows of this page"
      checked={chosen > 0 && chosen === keys.length}
      onChange={(event) => selection.toggle(keys, event.currentTarget.checked)}
    />
  );
}

/** The values of `sort` in the address that stand for a column, ascending and descending. */
const sortsOf = <Row,>({ head, by, sorts }: Column<Row>): [string, string] | undefined =>
  sorts ?? (by && [head, `-${head}`]);

function Head<Row>({ column }: { column: Column<Row> }) {
  const { path, query } = usePlace();
  const { head, isNumber } = column;
  const sorts = sortsOf(column);
  const [up, down] = sorts ?? [];
  const isUp = query.sort !== undefined && query.sort === up;
  const isDown = query.sort !== undefined && query.sort === down;
  const { before: _before, page: _page, ...rest } = query;
  return (
    <th
      scope="col"
      role="columnheader"
      class={isNumber ? 'number' : undefined}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      {sorts ? (
        <a class="sort" href={to(path, { ...rest, sort: isDown ? up : down })}>
          {head}
          <span aria-hidden="true">{isUp ? ' ↑' : isDown ? ' ↓' : ' ↕'}</span>
        </a>
      ) : (
        head || <span class="hidden">Actions</span>
      )}
    </th>
  );
}

function useSorted<Row>(columns: Column<Row>[], rows: Row[]): Row[] {
  const { sort } = usePlace().query;
  const by = columns.find((column) => sortsOf(column)?.includes(sort ?? ''))?.by;
  if (!by) return rows;
  const sign = sort?.startsWith('-') ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [left, right] = [by(one), by(other)];
    return left < right ? -sign : left > right ? sign : 0;
  });
}

interface ListParts<Row> extends Omit<TableParts<Row>, 'rows'> {
  query: Query<{ items: Row[] }>;
  /** What the list contains, for the message that it could not be read. */
  what: string;
  /** Shown if there are no rows. */
  empty: ComponentChildren;
  /** Shows the empty state as a single line, for use inside a card. */
  isSmall?: boolean;
}

/** A table with its loading, failed and empty states. Old rows stay visible until new ones have arrived. */
export function List<Row>({ query, what, empty, isSmall = true, ...table }: ListParts<Row>) {
  const { data, error, isLoading, reload } = query;
  return (
    <div class="rows" aria-busy={isLoading}>
      {error !== undefined && <Failed what={`${what} could not be read`} error={error} retry={reload} />}
      {data === undefined ? (
        error === undefined && <Loading />
      ) : data.items.length > 0 ? (
        <Table {...table} rows={data.items} />
      ) : (
        error === undefined && (isSmall ? <p class="empty">{empty}</p> : <Empty>{empty}</Empty>)
      )}
    </div>
  );
}

/** Grey bars as a placeholder, which appear only if loading takes long. */
export const Loading = () => (
  <div class="loading" role="status">
    <span class="hidden">Reading</span>
    <i />
    <i />
    <i />
  </div>
);
