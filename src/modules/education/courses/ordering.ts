/**
 * Returns the ids with one of them moved to, or inserted at, a position counted from 1; a position beyond the end means
 * the end. Positions are dense: the position of an id is its index in the result plus one.
 */
export function arranged<Id>(ids: readonly Id[], id: Id, order: number | undefined): Id[] {
  const isNew = !ids.includes(id);
  if (order === undefined) return isNew ? [...ids, id] : [...ids];
  const others = ids.filter((other) => other !== id);
  return others.toSpliced(Math.min(order - 1, others.length), 0, id);
}
