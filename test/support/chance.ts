/** Returns numbers that look random and are the same for the same seed: what a fuzz has found once it finds again. */
export function seeded(seed: number) {
  let state = seed >>> 0;
  /** From 0 up to 1 (mulberry32). */
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
    /** True in this part of all cases. */
    happens: (part: number): boolean => next() < part,
  };
}
/** Returns letters of four bytes each that no compression makes shorter: CJK unified ideographs, extension B. */
export const incompressible = (length: number, { below }: Pick<Chance, 'below'> = seeded(1)): string =>
  String.fromCodePoint(...Array.from({ length }, () => 0x20000 + below(0xa000)));

export type Chance = ReturnType<typeof seeded>;
