/**
 * Returns the ids with one of them moved to a place, counted from 1, or added there; beyond the end is the end.
 * Orders are dense: the place of an id is its index in what is returned, plus one.
 */
export function arranged<Id>(ids: readonly Id[], id: Id, order: number | undefined): Id[] {
  const isNew = !ids.includes(id);
  if (order === undefined) return isNew ? [...ids, id] : [...ids];
  const others = ids.filter((other) => other !== id);
  return others.toSpliced(Math.min(order - 1, others.length), 0, id);
}
