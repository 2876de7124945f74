/**
 * Returns the edit distance of two words: how many letters must be inserted, removed, replaced or swapped with their
 * neighbour.
 */
function distanceOf(from: string, to: string): number {
  const rows = Array.from(
    { length: from.length + 1 },
    (_, i) => [i, ...Array(to.length).fill(0)] as number[],
  );
  const at = (i: number, j: number): number => rows[i]?.[j] as number;
  rows[0] = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      (rows[i] as number[])[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return rows[from.length]?.[to.length] as number;
}

/**
 * Returns the name that was probably meant by a mistyped one; undefined when none is similar.
 * @param mostTypos how many letters may be wrong; by default a quarter of those of the name
 */
export function nearestOf(
  typed: string,
  names: readonly string[],
  mostTypos = Number.POSITIVE_INFINITY,
): string | undefined {
  const [nearest] = names
    // The distance is at least the difference of the lengths, which costs nothing.
    .filter((name) => Math.abs(name.length - typed.length) <= mostTypos)
    .map((name) => ({ name, distance: distanceOf(typed, name) }))
    .filter(({ name, distance }) => distance <= Math.min(mostTypos, Math.max(1, Math.floor(name.length / 4))))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.name;
}
