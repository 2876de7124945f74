type JsonObject = Record<string, unknown>;
type Strip = (value: unknown) => unknown;

interface Shape {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Shape>;
  required?: string[];
  default?: unknown;
  items?: Shape;
  anyOf?: Shape[];
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns a function that treats `null` as absence: it copies a value without the optional fields that are null and
 * whose shape does not accept null. Where a shape accepts null, it has a meaning (it clears a field) and is kept.
 * Returns undefined when nothing can be dropped.
 */
export function nullsAsAbsent(shape: Shape): Strip | undefined {
  if (shape.items) return ofItems(shape.items);
  const { properties = {}, required = [] } = shape;
  const droppable: string[] = [];
  const nested: [string, Strip][] = [];
  for (const [name, property] of Object.entries(properties)) {
    // A field with a default stands among the required ones, and may be left out all the same.
    const isOptional = !required.includes(name) || property.default !== undefined;
    if (isOptional && !takesNull(property)) droppable.push(name);
    const strip = nullsAsAbsent(property);
    if (strip) nested.push([name, strip]);
  }
  if (droppable.length === 0 && nested.length === 0) return undefined;
  return (value) => {
    if (!isObject(value)) return value;
    const copy = { ...value };
    for (const name of droppable) if (copy[name] === null) delete copy[name];
    for (const [name, strip] of nested) if (Object.hasOwn(copy, name)) copy[name] = strip(copy[name]);
    return copy;
  };
}

function ofItems(items: Shape): Strip | undefined {
  const strip = nullsAsAbsent(items);
  return strip && ((value) => (Array.isArray(value) ? value.map(strip) : value));
}

function takesNull({ type, enum: words, const: only, anyOf }: Shape): boolean {
  if (anyOf) return anyOf.some(takesNull);
  if (type !== undefined) return type === 'null' || (Array.isArray(type) && type.includes('null'));
  if (words) return words.includes(null);
  return only === undefined || only === null;
}
