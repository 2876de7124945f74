/** Yields the items in chunks of at most `size`, in their order. */
export function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * Returns one array for each named property, in the order of the names: rows become the columns that `unnest` takes.
 * `columnsOf(members, 'roomId', 'userId')` returns `[roomIds, userIds]`.
 */
export function columnsOf<Row, const Names extends readonly (keyof Row)[]>(
  rows: readonly Row[],
  ...names: Names
): { -readonly [Place in keyof Names]: Row[Names[Place]][] } {
  const columns = names.map((name) => rows.map((row) => row[name]));
  return columns as { -readonly [Place in keyof Names]: Row[Names[Place]][] };
}
