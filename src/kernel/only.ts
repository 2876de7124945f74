/**
 * Returns the item of a list that must have exactly one, such as the view of one row.
 * @throws for a list of another length, and when the item is missing
 */
export function only<Item>(list: readonly Item[]): NonNullable<Item> {
  const [item] = list;
  if (list.length !== 1 || item === undefined || item === null)
    throw new Error(`expected one item in a list of ${list.length}`);
  return item;
}
