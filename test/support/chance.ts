/** A pseudo-random generator. The same seed yields the same numbers, so that a finding of a fuzz can be repeated. */
export function seeded(seed: number) {
  let state = seed >>> 0;
  /** A number from 0 (inclusive) to 1 (exclusive), by mulberry32. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: <T>(all: readonly T[]): T => all[below(all.length)] as T,
    /** True with this probability. */
    happens: (part: number): boolean => next() < part,
  };
}
/** Returns characters of four bytes each that hardly compress: CJK unified ideographs, extension B. */
export const incompressible = (length: number, { below }: Pick<Chance, 'below'> = seeded(1)): string =>
  String.fromCodePoint(...Array.from({ length }, () => 0x20000 + below(0xa000)));

export type Chance = ReturnType<typeof seeded>;
