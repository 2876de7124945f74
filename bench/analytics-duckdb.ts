import { existsSync } from 'node:fs';
import type pg from 'pg';

/** Runs a query on the same events in DuckDB, in this process and on one thread; returns its rows. */
export type RunInDuckDb = (text: string) => Promise<unknown[][]>;

const narrowCsv = async (client: pg.Client): Promise<string> => {
  const { rows: where } = await client.query('show data_directory');
  return `${where[0].data_directory}/bench-narrow.csv`;
};

/** Writes the events of clients to the file from which the peers read them. */
export const writeNarrow = async (client: pg.Client): Promise<unknown> =>
  client.query(
    `copy (select (extract(epoch from occurred_at) * 1000)::bigint, person, name from analytics.event
       where name in (select no from analytics.name where source = 'client'))
     to '${await narrowCsv(client)}' csv`,
  );

/** Returns the path of that file, after writing it if it is missing. */
export async function eventsFile(client: pg.Client): Promise<string> {
  const file = await narrowCsv(client);
  if (!existsSync(file)) await writeNarrow(client);
  return file;
}

/** Copies the events into a table of DuckDB; undefined if it is not installed (DUCKDB_MODULE). */
export async function openDuckDb(client: pg.Client): Promise<RunInDuckDb | undefined> {
  const module = process.env.DUCKDB_MODULE;
  if (module === undefined) return undefined;
  const { DuckDBInstance } = await import(module);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run('set threads = 1');
  await connection.run(
    `create table event as select * from read_csv('${await eventsFile(client)}', header = false, columns = {'ts': 'BIGINT', 'person': 'INTEGER', 'name': 'SMALLINT'})`,
  );
  return async (text) => (await connection.runAndReadAll(text)).getRows();
}
