import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;

/** Our own keywords, which are meaningless to readers of the description. */
const OURS = new Set(['refusal', 'clampTo', 'maxBytes']);
const FORMATS: Record<string, string | undefined> = {
  'http-url': 'uri',
  mailbox: 'email',
  instant: undefined,
  currency: undefined,
};

/** Converts shapes into OpenAPI schemas: named ones become components, referenced wherever they occur. */
export function schemaComponents() {
  const components: Record<string, unknown> = {};

  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    const { $id, ...rest } = value as Json;
    return typeof $id === 'string' ? named($id, rest) : plainObject(rest);
  }

  function named(name: string, shape: Json): Json {
    const schema = plainObject(shape);
    components[name] ??= schema;
    if (!isDeepStrictEqual(components[name], schema))
      throw new Error(`two different schemas are called ${name}`);
    return { $ref: `#/components/schemas/${name}` };
  }

  function plainObject(value: Json): Json {
    const copy: Json = {};
    for (const [key, item] of Object.entries(value)) {
      if (OURS.has(key)) continue;
      if (key === 'format' && typeof item === 'string' && item in FORMATS) {
        if (FORMATS[item]) copy.format = FORMATS[item];
        continue;
      }
      copy[key] = plain(item);
    }
    return copy;
  }

  return {
    schema: (shape: TSchema): unknown => plain(shape),
    /** Returns a reference to the shape as a component, under the shape's own name or else the given one. */
    named: (name: string, shape: TSchema): unknown => {
      // A shape is JSON Schema at run time, but its type does not declare it.
      const { $id = name, ...rest } = shape as unknown as Json;
      return named($id as string, rest);
    },
    all: (): Json => Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
