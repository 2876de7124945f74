import type { DataOf, Operation, Page, RequestOf } from '@platform-api/sdk';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Api, api } from '../api.ts';
import { csvOf, download } from '../csv.ts';
import { doAtOnce } from '../last-action.ts';
import { type Query, useQuery } from '../query.ts';
import { usePlace } from '../router.ts';
import { count } from '../text.ts';
import { type Filter, Filters, valuesOf } from './filters.tsx';
import { Pager } from './pager.tsx';
import { type Column, List } from './table.tsx';

export type RowOf<O> = DataOf<O> extends (infer Row)[] ? Row : never;
type QueryValues = Record<string, string | number | boolean | undefined>;

interface Source<O extends Operation> {
  operation: O;
  params?: Record<string, string>;
  /** Query parameters that are always sent, in addition to the filters in the address. */
  fixed?: QueryValues;
  filters?: Filter[];
  /** Turns the filters in the address into the operation's query parameters, if the two differ. */
  toQuery?: (query: Record<string, string>) => QueryValues;
  limit?: number;
  pollMs?: number;
}

type Rows<Row> = Page<Row> & { totalIsExact?: boolean };

const isPage = (answer: object): answer is Rows<unknown> => 'items' in answer;

function read<O extends Operation>(
  by: Api,
  { operation, params }: Source<O>,
  query: QueryValues,
  signal?: AbortSignal,
) {
  // Values from the address are passed on unchecked: the platform refuses invalid ones.
  const request = { params, query } as unknown as RequestOf<O>;
  return by.call(operation, request, signal ? { signal } : {}) as PromiseLike<Rows<RowOf<O>> | RowOf<O>[]>;
}

/** Loads the rows for the filters, order and page in the address. */
function useRows<O extends Operation>(
  source: Source<O>,
): Query<Rows<RowOf<O>>> & { filterValues: QueryValues } {
  const { query } = usePlace();
  const { operation, fixed, filters = [], toQuery, limit = 25, pollMs } = source;
  const addressFilters = valuesOf(filters, query);
  const filterValues: QueryValues = { ...(toQuery?.(addressFilters) ?? addressFilters), ...fixed };
  const pageValues: QueryValues = operation.pages ? { limit, page: query.page, before: query.before } : {};
  const isSorted = query.sort !== undefined && /^[a-z]/.test(query.sort);
  const allValues = { ...filterValues, ...pageValues, ...(isSorted ? { sort: query.sort } : {}) };
  const rows = useQuery(
    JSON.stringify([operation.id, source.params, allValues]),
    async (by, signal): Promise<Rows<RowOf<O>>> => {
      const answer = await read(by, source, allValues, signal);
      if (isPage(answer)) return answer;
      const { length } = answer;
      return { items: answer, page: 1, limit: length, total: length, pages: 1, next: async () => undefined };
    },
    pollMs === undefined ? {} : { pollMs },
  );
  return { ...rows, filterValues };
}

/** The most rows of a file that the console puts together itself, from pages of a hundred. */
const MAX_ROWS = 10_000;

/** Saves all matching rows as CSV: written by the platform if it can, otherwise the first `MAX_ROWS`. */
async function save<O extends Operation>(
  source: Source<O>,
  filterValues: QueryValues,
  name: string,
): Promise<string> {
  const { operation } = source;
  let text: string;
  let isCut = false;
  if (operation.read) {
    const query = { ...filterValues, format: 'csv' };
    const one: Operation = operation;
    text = String((await api.raw(one, { params: source.params ?? {}, query }, { timeoutMs: 120_000 })).data);
  } else {
    const rows: RowOf<O>[] = [];
    const first = await read(api, source, operation.pages ? { ...filterValues, limit: 100 } : filterValues);
    let page: Rows<RowOf<O>> | undefined = isPage(first) ? first : undefined;
    if (!isPage(first)) rows.push(...first);
    for (; page && rows.length < MAX_ROWS; page = await page.next()) rows.push(...page.items);
    isCut = Boolean(page?.items.length);
    text = csvOf(rows as object[]);
  }
  download(`${name}.csv`, text);
  return isCut
    ? `${name}.csv has only the first ${count(MAX_ROWS)} rows, and there are more: narrow the list by its filters.`
    : `Saved ${name}.csv.`;
}

interface ListingParts<O extends Operation> extends Source<O> {
  /** What the list contains, such as "The members", for the message that it could not be read. */
  what: string;
  caption: string;
  columns: Column<RowOf<O>>[];
  keyOf: (row: RowOf<O>) => string;
  empty: ComponentChildren;
  /** The name, without extension, of the CSV file that all rows can be saved to; without it, they cannot be saved. */
  file?: string;
  /** Actions on selected rows; `nameOf` returns the name of a row. */
  bulk?: { nameOf: (row: RowOf<O>) => string; actions: (rows: RowOf<O>[]) => ComponentChildren };
  /** Called with each page that was read, for example to show the total elsewhere. */
  onRead?: (page: Rows<RowOf<O>>) => void;
}

/** A list of the API with filters, pages, a CSV download and actions on several rows. */
export function Listing<O extends Operation>(parts: ListingParts<O>) {
  const { operation, what, caption, columns, keyOf, empty, file, bulk, filters, onRead } = parts;
  const rows = useRows(parts);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { query } = usePlace();
  const { data, filterValues } = rows;
  useEffect(() => {
    if (data) onRead?.(data);
  }, [data, onRead]);
  const { before, page } = query;
  useEffect(() => setChosen(new Set()), [before, page, JSON.stringify(filterValues)]);
  const selected = data?.items.filter((row) => chosen.has(keyOf(row))) ?? [];
  const toggle = (keys: string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const key of keys) isChosen ? next.add(key) : next.delete(key);
    setChosen(next);
  };
  return (
    <>
      {(filters || file) && (
        <div class="above-rows">
          {filters && <Filters of={filters} />}
          {file && Boolean(data?.items.length) && (
            <button
              type="button"
              class="csv"
              onClick={() => void doAtOnce('No file was saved', () => save(parts, filterValues, file))}
            >
              Download CSV
            </button>
          )}
        </div>
      )}
      <div class="card">
        {bulk && selected.length > 0 && (
          <div class="bulk">
            <strong>{count(selected.length)} selected</strong>
            {bulk.actions(selected)}
            <button type="button" class="plain" onClick={() => setChosen(new Set())}>
              Clear
            </button>
          </div>
        )}
        <List
          query={rows}
          what={what}
          caption={caption}
          columns={columns}
          keyOf={keyOf}
          empty={empty}
          isSmall={false}
          nameOf={bulk?.nameOf}
          selection={bulk && { has: (key) => chosen.has(key), toggle }}
        />
        <Pager shown={data} cursor={data && cursorOf(operation, data.items.at(-1))} />
      </div>
    </>
  );
}

/** The cursor that continues the list after a row; undefined if the list has numbered pages. */
function cursorOf({ cursor }: Operation, row: unknown): string | undefined {
  if (!cursor || !row) return undefined;
  const [, ...fields] = cursor;
  return fields.map((name) => (row as Record<string, unknown>)[name]).join('_');
}
