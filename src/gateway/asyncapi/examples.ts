import { createHash } from 'node:crypto';
import type { Json } from '../openapi/schemas.ts';

const OBJECT_ID = '^[0-9a-f]{24}$';

/** Returns a value that matches a shape, built from the examples of its parts. Ids differ by field name. */
function exampleOf(shape: object, name = ''): unknown {
  const {
    examples,
    const: constant,
    enum: words,
    anyOf,
    items,
    properties,
    pattern,
    ...rest
  } = shape as Json;
  const type = Array.isArray(rest.type) ? rest.type[0] : rest.type;
  if (pattern === OBJECT_ID) return idFor(name);
  if (Array.isArray(examples)) return examples[0];
  if (constant !== undefined) return constant;
  if (Array.isArray(words)) return words[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], name);
  if (type === 'array') return [exampleOf((items ?? {}) as object, name)];
  if (type === 'object') return exampleOfFields((properties ?? {}) as Record<string, object>);
  return { string: 'text', boolean: true, integer: 1, number: 1 }[type as string] ?? null;
}

const exampleOfFields = (properties: Record<string, object>): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, exampleOf(shape, name)]));

/** Returns one example for each alternative of a shape. */
export function examplesOf(shape: object): unknown[] {
  const { anyOf } = shape as { anyOf?: object[] };
  return (anyOf ?? [shape]).map((one) => exampleOf(one));
}

/** Returns the same id for the same name in every message. */
const idFor = (name: string): string =>
  `6740f1c2${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
