// SQLite's full-text index within this process, as a yardstick for the search: without rights, typing mistakes or
// network.
import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';

const ROWS_AT_ONCE = 20_000;

/** Indexes all documents; returns a function that runs a query and returns its milliseconds. */
export async function fts5(client: pg.Client): Promise<(query: string, limit: number) => number> {
  const sqlite = new DatabaseSync(':memory:');
  sqlite.exec('create virtual table document using fts5(title, body)');
  const insert = sqlite.prepare('insert into document (title, body) values (?, ?)');
  for (let type = '', id = ''; ; ) {
    const { rows } = await client.query(
      'select type, id, title, body from search.document where (type, id) > ($1, $2) order by type, id limit $3',
      [type, id, ROWS_AT_ONCE],
    );
    sqlite.exec('begin');
    for (const { title, body } of rows) insert.run(title, body);
    sqlite.exec('commit');
    if (rows.length < ROWS_AT_ONCE) break;
    ({ type, id } = rows.at(-1));
  }
  const find = sqlite.prepare(
    'select rowid, title from document where document match ? order by rank limit ?',
  );
  return (query, limit) => {
    const startedMs = performance.now();
    find.all(query, limit);
    return performance.now() - startedMs;
  };
}

/** Runs queries one after another; returns the median and the 99th percentile of their milliseconds. */
export function timesOf(run: () => number, runs = 100): { p50Ms: number; p99Ms: number } {
  const took = Array.from({ length: runs }, run).toSorted((a, b) => a - b);
  const at = (share: number): number => took[Math.floor(share * (runs - 1))] as number;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
