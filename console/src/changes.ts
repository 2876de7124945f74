/** The result of saving a form in which nothing was changed. */
export const NOTHING_CHANGED = 'Nothing was changed.';

type Values = Record<string, string | boolean | null>;

/** A text as a field of a form holds it. */
const asTyped = (value: Values[string] | undefined) =>
  typeof value === 'string' ? value.trim().replaceAll(/\r\n?/g, '\n') : (value ?? null);

/** The values of a form that differ from those with which it was opened, so that a save undoes no other operator's. */
export const changedIn = <Body extends Values>(opened: Body, now: Body): Partial<Body> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => asTyped(value) !== asTyped(opened[name])),
  ) as Partial<Body>;
