import type { DataOf, Operation, Page, RequestOf } from '@platform-api/sdk';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Api, api } from '../api.ts';
import { csvOf, download } from '../csv.ts';
import { doAtOnce } from '../done.ts';
import { type Query, useQuery } from '../query.ts';
import { usePlace } from '../router.ts';
import { count } from '../text.ts';
import { type Filter, Filters } from './filters.tsx';
import { Pager } from './pager.tsx';
import { type Column, List } from './table.tsx';

export type RowOf<O> = DataOf<O> extends (infer Row)[] ? Row : never;
type Asked = Record<string, string | number | boolean | undefined>;

interface Source<O extends Operation> {
  operation: O;
  params?: Record<string, string>;
  /** What is asked besides the filters of the address. */
  fixed?: Asked;
  filters?: Filter[];
  /** Turns what the address says into what the operation takes, where the two differ. */
  ask?: (query: Record<string, string>) => Asked;
  limit?: number;
  pollMs?: number;
}

type Rows<Row> = Page<Row> & { totalIsExact?: boolean };

const isPage = (answer: object): answer is Rows<unknown> => 'items' in answer;

function read<O extends Operation>(
  by: Api,
  { operation, params }: Source<O>,
  query: Asked,
  signal?: AbortSignal,
) {
  // What an address says is checked by the platform, which refuses what it does not know.
  const request = { params, query } as unknown as RequestOf<O>;
  return by.call(operation, request, signal ? { signal } : {}) as PromiseLike<Rows<RowOf<O>> | RowOf<O>[]>;
}

/** Reads the rows of a list of the platform that the address asks for: its filters, its order, its page. */
function useRows<O extends Operation>(source: Source<O>): Query<Rows<RowOf<O>>> & { asked: Asked } {
  const { query } = usePlace();
  const { operation, fixed, filters = [], ask, limit = 25, pollMs } = source;
  const named = Object.fromEntries(filters.flatMap(({ name }) => (query[name] ? [[name, query[name]]] : [])));
  const asked: Asked = { ...(ask?.(named) ?? named), ...fixed };
  const place: Asked = operation.pages ? { limit, page: query.page, before: query.before } : {};
  const isSorted = query.sort !== undefined && /^[a-z]/.test(query.sort);
  const whole = { ...asked, ...place, ...(isSorted ? { sort: query.sort } : {}) };
  const rows = useQuery(
    JSON.stringify([operation.id, source.params, whole]),
    async (by, signal): Promise<Rows<RowOf<O>>> => {
      const answer = await read(by, source, whole, signal);
      if (isPage(answer)) return answer;
      const { length } = answer;
      return { items: answer, page: 1, limit: length, total: length, pages: 1, next: async () => undefined };
    },
    pollMs === undefined ? {} : { pollMs },
  );
  return { ...rows, asked };
}

/** Writes all that matches as a file: by the platform where it can, else from at most 10,000 rows read page by page. */
async function save<O extends Operation>(source: Source<O>, asked: Asked, name: string): Promise<string> {
  const { operation } = source;
  let text: string;
  if (operation.read) {
    const query = { ...asked, format: 'csv' };
    text = String(
      (await api.raw(operation, { params: source.params ?? {}, query }, { timeoutMs: 120_000 })).data,
    );
  } else {
    const rows: RowOf<O>[] = [];
    const first = await read(api, source, operation.pages ? { ...asked, limit: 100 } : asked);
    let page: Rows<RowOf<O>> | undefined = isPage(first) ? first : undefined;
    if (!isPage(first)) rows.push(...first);
    for (; page && rows.length < 10_000; page = await page.next()) rows.push(...page.items);
    text = csvOf(rows as object[]);
  }
  download(`${name}.csv`, text);
  return `Saved ${name}.csv.`;
}

interface ListingParts<O extends Operation> extends Source<O> {
  /** What the list holds, as in "The members". */
  what: string;
  caption: string;
  columns: Column<RowOf<O>>[];
  keyOf: (row: RowOf<O>) => string;
  empty: ComponentChildren;
  /** The name of the file that all rows can be saved to. */
  file?: string;
  /** What can be done with chosen rows; `nameOf` says what each is called. */
  bulk?: { nameOf: (row: RowOf<O>) => string; acts: (rows: RowOf<O>[]) => ComponentChildren };
  /** Sees what has been read, as to say how much there is. */
  onRead?: (page: Rows<RowOf<O>>) => void;
}

/** A list of the platform with its filters, pages, file, and what can be done with several rows at once. */
export function Listing<O extends Operation>(parts: ListingParts<O>) {
  const { operation, what, caption, columns, keyOf, empty, file, bulk, filters, onRead } = parts;
  const rows = useRows(parts);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { query } = usePlace();
  const { data, asked } = rows;
  useEffect(() => {
    if (data) onRead?.(data);
  }, [data, onRead]);
  const { before, page } = query;
  useEffect(() => setChosen(new Set()), [before, page, JSON.stringify(asked)]);
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
              onClick={() => void doAtOnce('No file was saved', () => save(parts, asked, file))}
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
            {bulk.acts(selected)}
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

/** The cursor of a row, where its list goes on by one. */
function cursorOf({ cursor }: Operation, row: unknown): string | undefined {
  if (!cursor || !row) return undefined;
  const [, ...fields] = cursor;
  return fields.map((name) => (row as Record<string, unknown>)[name]).join('_');
}
