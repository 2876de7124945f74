type Fields = Record<string, unknown>;

/** `_id` is `id`, and `banner_image` is `bannerImage`. */
const camel = (name: string): string =>
  name.replace(/^_/, '').replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** Gives the fields of an answer at these paths the names of the SDK, in place. */
export function fromWire(data: unknown, paths: readonly string[]): void {
  for (const path of paths) rename(data, path.split('.'));
}

function rename(value: unknown, [name, ...rest]: string[]): void {
  if (Array.isArray(value)) for (const one of value) rename(one, [name as string, ...rest]);
  else if (value && typeof value === 'object') {
    const fields = value as Fields;
    if (rest.length > 0) rename(fields[name as string], rest);
    else if ((name as string) in fields) {
      fields[camel(name as string)] = fields[name as string];
      delete fields[name as string];
    }
  }
}

/** Returns a body under the names of the wire. */
export function toWire(body: object, names: readonly string[]): object {
  const wire = new Map(names.map((name) => [camel(name), name]));
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [wire.get(name) ?? name, value]));
}
