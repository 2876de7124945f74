import type { Answer, Request } from './operation.ts';

type Fields = Record<string, unknown>;

/** `_id` is `id`, and `banner_image` is `bannerImage`. */
export const camel = (name: string): string =>
  name.replace(/^_/, '').replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** Renames the fields of a body for the wire, and the fields of the data at these paths for the SDK. */
export async function renaming(
  request: Request,
  send: (request: Request) => Promise<Answer>,
  paths: readonly string[],
  names: readonly string[] = [],
): Promise<Answer> {
  const body = request.body && toWire(request.body, names);
  const answer = await send({ ...request, body });
  for (const path of paths) rename(answer.data, path.split('.'));
  return answer;
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

function toWire(body: object, names: readonly string[]): object {
  const wire = new Map(names.map((name) => [camel(name), name]));
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [wire.get(name) ?? name, value]));
}
