/** Returns the only item of a list that has exactly one, such as the view of one row. @throws for any other list */
export function only<Item>(list: readonly Item[]): Item {
  const [item] = list;
  if (item === undefined || list.length > 1) throw new Error(`expected one item, got ${list.length}`);
  return item;
}
