import { hash } from 'node:crypto';
import type { OnConflict, PropertiesOf, Queries, Query } from './queries.ts';

const columnOf = (property: string): string =>
  property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the text of an insert; its parameters are the properties of one row after the other. */
export function insertText(table: string, properties: readonly string[], conflict = '', rows = 1): string {
  const columns = properties.map(columnOf).join(', ');
  const places = Array.from({ length: rows }, (_row, row) =>
    properties.map((_property, place) => `$${row * properties.length + place + 1}`).join(', '),
  );
  return `insert into ${table} (${columns}) values (${places.join('), (')}) ${conflict}`.trimEnd();
}

/** Returns the text of an update of the row whose id is the first parameter; the properties follow. */
export function updateText(table: string, properties: readonly string[]): string {
  const changes = properties.map((property, place) => `${columnOf(property)} = $${place + 2}`);
  return `update ${table} set ${changes.join(', ')} where id = $1`;
}

/** Prepares the text under its hash, because the names of prepared statements are limited to 63 bytes. */
const prepared = (text: string): Query<never> => ({ name: `write-${hash('sha1', text)}`, text });

type Execute = Queries['execute'];

export const inserter =
  (execute: Execute): Queries['insert'] =>
  async <Row extends object>(
    table: string,
    rows: Row | readonly Row[],
    columns?: PropertiesOf<Row>,
    conflict?: OnConflict,
  ) => {
    const list = (Array.isArray(rows) ? rows : [rows]) as readonly Row[];
    if (list.length === 0) return 0;
    const properties = columns ?? (Object.keys(rows) as (keyof Row & string)[]);
    const text = insertText(table, properties, conflict, list.length);
    const values = list.flatMap((row) => properties.map((property) => row[property]));
    // A list has a different text for each length, and most texts would be used only once.
    return execute(list.length === 1 ? prepared(text) : text, values);
  };

export const updater =
  (execute: Execute): Queries['update'] =>
  async (table, row, columns) => {
    const values = [row.id, ...columns.map((property) => row[property])];
    return (await execute(prepared(updateText(table, columns)), values)) > 0;
  };
