import type { Figures } from './contract.ts';

/** Reads figures, and returns them by section. */
export async function valuesOf<Of>(
  all: Figures<Of>[],
  of: Of,
): Promise<Record<string, Record<string, unknown>>> {
  const read = await Promise.all(all.map(async (one) => ({ ...one, values: await one.read(of) })));
  return Object.fromEntries(
    [...Map.groupBy(read, ({ section }) => section)].map(([section, ofSection]) => [
      section,
      Object.assign({}, ...ofSection.map(({ values }) => values)),
    ]),
  );
}
