/** Inserts parameters into a path. */
export const filled = (path: string, params: object): string =>
  path.replace(/\{(\w+)\}/g, (_all, name) => segment((params as Record<string, unknown>)[name]));

/** An empty segment of a path, or one of dots, would lead to another operation; a missing value is a mistake. */
function segment(value: unknown): string {
  const text = `${value}`;
  if (!/^st/.test(typeof value) || /^\.*$/.test(text)) throw new TypeError(`'${text}' is no id`);
  return encodeURIComponent(text);
}
