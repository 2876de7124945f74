// SQLite's full-text index within this process, as a yardstick for the search: without rights, typing mistakes or
// network.
import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';

const ROWS_AT_ONCE = 20_000;

/** Reads all documents. */
export async function* documentsOf(client: pg.Client): AsyncGenerator<{ title: string; body: string }> {
  for (let type = '', id = ''; ; ) {
    const { rows } = await client.query(
      'select type, id, title, body from search.document where (type, id) > ($1, $2) order by type, id limit $3',
      [type, id, ROWS_AT_ONCE],
    );
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
    ({ type, id } = rows.at(-1));
  }
}

/** Indexes all documents; returns a function that runs a query. */
export async function fts5(client: pg.Client): Promise<(query: string, limit: number) => void> {
  const sqlite = new DatabaseSync(':memory:');
  sqlite.exec('create virtual table document using fts5(title, body)');
  const insert = sqlite.prepare('insert into document (title, body) values (?, ?)');
  sqlite.exec('begin');
  for await (const { title, body } of documentsOf(client)) insert.run(title, body);
  sqlite.exec('commit');
  const find = sqlite.prepare(
    'select rowid, title from document where document match ? order by rank limit ?',
  );
  return (query, limit) => void find.all(query, limit);
}

/** Runs queries one after another for some seconds, as `load` does over HTTP. */
export function runFor(
  seconds: number,
  run: () => void,
): { perSecond: number; answered: number; p50Ms: number; p99Ms: number } {
  const took: number[] = [];
  const startedMs = performance.now();
  for (let fromMs = startedMs; fromMs < startedMs + seconds * 1000; ) {
    run();
    const tillMs = performance.now();
    took.push(tillMs - fromMs);
    fromMs = tillMs;
  }
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] as number;
  return {
    perSecond: took.length / ((performance.now() - startedMs) / 1000),
    answered: took.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}
