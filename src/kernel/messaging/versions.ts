/** Upgrades of data to the next version, by the version that each one accepts. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of earlier versions are no longer declared
export type Upgrades = Record<number, (data: any) => object>;

/** The part of a job or event kind that concerns versions. */
interface Versioned {
  name: string;
  version: number;
  upgrades: Upgrades;
}

/** @throws when an earlier version has no upgrade */
export function requireUpgrades({ name, version, upgrades }: Versioned): void {
  for (let earlier = 1; earlier < version; earlier++)
    if (!upgrades[earlier]) throw new Error(`${name} has no upgrade of version ${earlier}`);
}

/** Returns data in the shape of the current version; undefined for a version that this program does not know yet. */
export function upgraded(
  { version, upgrades }: Omit<Versioned, 'name'>,
  from: number,
  data: object,
): object | undefined {
  if (from > version) return undefined;
  let current = data;
  for (let at = from; at < version; at++) current = upgrades[at]?.(current) ?? current;
  return current;
}

/** Returns an upgrade that leaves out fields. */
export const without =
  (...fields: string[]) =>
  (data: object): object =>
    Object.fromEntries(Object.entries(data).filter(([name]) => !fields.includes(name)));
