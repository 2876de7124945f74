interface Shape {
  type?: string | string[];
  properties?: Record<string, Shape>;
  additionalProperties?: unknown;
  items?: Shape;
}

/** Adds the paths of unnamed fields in a value to a list. */
type Collect = (value: unknown, path: string, found: string[]) => void;

const MAX_NAMED = 20;
const MAX_PATH = 200;

/** Clients whose parsers are strict read no JSON with half of an emoji. */
const cut = (path: string): string => path.slice(0, MAX_PATH).toWellFormed();

/**
 * Returns a function that lists the fields of a body that its shape does not name, and that are therefore ignored, as
 * dotted paths: at most 20, each cut to 200 characters; undefined when there are none.
 */
export function unnamedFields(shape: object): (body: unknown) => string[] | undefined {
  const collect = collectorOf(shape as Shape);
  return (body) => {
    const found: string[] = [];
    collect?.(body, '', found);
    return found.length > 0 ? found : undefined;
  };
}

/** Returns the paths of ignored fields that the shape and the handler have found, as many as are named. */
export const namedIgnored = (byShape: string[] = [], byHandler: string[] = []): string[] | undefined => {
  const all = [...byShape, ...byHandler].slice(0, MAX_NAMED).map(cut);
  return all.length > 0 ? all : undefined;
};

function collectorOf(shape: Shape): Collect | undefined {
  if (shape.items) return ofItems(shape.items);
  const { type, properties, additionalProperties } = shape;
  if (type !== 'object' || !properties) return undefined;
  const nested = new Map(Object.entries(properties).map(([name, inner]) => [name, collectorOf(inner)]));
  const isClosed = additionalProperties === undefined || additionalProperties === false;
  return (value, path, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const name of Object.keys(value)) {
      if (found.length >= MAX_NAMED) return;
      if (nested.has(name))
        nested.get(name)?.((value as Record<string, unknown>)[name], `${path}${name}.`, found);
      else if (isClosed) found.push(cut(`${path}${name}`));
    }
  };
}

function ofItems(items: Shape): Collect | undefined {
  const collect = collectorOf(items);
  if (!collect) return undefined;
  return (value, path, found) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length && found.length < MAX_NAMED; index++) {
      collect(value[index], `${path}${index}.`, found);
    }
  };
}
