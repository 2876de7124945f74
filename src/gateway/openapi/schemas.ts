import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { MOMENT_CURSORS } from '../../kernel/operations/moments.ts';
import {
  DateTime,
  HttpUrl,
  InstantText,
  Metadata,
  ObjectIdShape,
  Uuid,
} from '../../kernel/operations/shapes.ts';
import { INSTANT_PATTERN } from '../../kernel/time/time.ts';

export type Json = Record<string, unknown>;

/** Our own keywords, which are meaningless to readers of the description. */
const OURS = new Set([
  'refusal',
  'isPrivate',
  'clampTo',
  'maxBytes',
  'atLeastOne',
  'exactlyOne',
  'documented',
  'insteadOf',
  'cursorOf',
  'patternMessage',
]);

/** Keywords that hold values, in which no shapes are looked for. */
const VALUES = new Set(['const', 'default', 'enum', 'examples']);

const HTTP = '^[Hh][Tt][Tt][Pp][Ss]?://';

/** The standard JSON Schema formats for the platform's own ones, where they exist. */
const FORMATS: Record<string, Json> = {
  'http-url': { format: 'uri', pattern: HTTP },
  'return-url': { format: 'uri-template', pattern: HTTP },
  mailbox: { format: 'email' },
  instant: { pattern: INSTANT_PATTERN },
  currency: { pattern: '^[A-Z]{3}$' },
  'language-tag': { pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' },
  'time-zone': { pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$' },
  visible: { pattern: '\\S' },
  'visible-or-empty': { pattern: '^$|\\S' },
  name: { pattern: '\\S' },
  'one-direction': {},
};

/** Shapes that occur many times; wherever one stands unchanged, or with null besides, there is a reference to it. */
const COMMON: Record<string, TSchema> = {
  ObjectId: ObjectIdShape,
  DateTime,
  HttpUrl,
  InstantText,
  Metadata,
  Uuid,
  ...MOMENT_CURSORS,
};

/** Converts shapes into OpenAPI schemas: named ones become components, referenced wherever they occur. */
export function schemaComponents() {
  const components: Record<string, unknown> = {};

  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    const { $id, ...rest } = value as Json;
    if (typeof $id !== 'string') return commonOr(plainObject(rest));
    if (!isNullable(rest)) return named($id, rest);
    // What is said of a value that may be missing is said of the field, not of all values of the shape.
    const { description, ...shape } = withoutNull(rest);
    return {
      anyOf: [named($id, shape), { type: 'null' }],
      ...(description === undefined ? {} : { description }),
    };
  }

  /**
   * Returns a reference to the common shape that a schema is, or that it is with null besides, with its own description;
   * else the schema itself.
   */
  function commonOr(schema: Json): Json {
    const { description, ...bare } = schema;
    for (const [name, shape] of Object.entries(COMMON)) {
      const { description: usual, ...common } = plainObject(shape as unknown as Json);
      const own = description === undefined || description === usual ? {} : { description };
      const reference = (): Json => named(name, shape as unknown as Json);
      if (isDeepStrictEqual(bare, common)) return { ...reference(), ...own };
      if (isDeepStrictEqual(bare, { ...common, type: [common.type, 'null'] }))
        return { anyOf: [reference(), { type: 'null' }], ...own };
    }
    return schema;
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
      if (VALUES.has(key)) {
        copy[key] = item;
        continue;
      }
      const simpler = simplerWords(key, item);
      if (simpler) {
        Object.assign(copy, plain(simpler));
        continue;
      }
      if (key === 'format' && Object.hasOwn(FORMATS, item as string))
        Object.assign(copy, FORMATS[item as string]);
      else copy[key] = plain(item);
    }
    // A word of the enum is an example of itself.
    const [example] = (copy.examples ?? []) as unknown[];
    if (Array.isArray(copy.enum) && copy.enum[0] === example) delete copy.examples;
    return { ...copy, ...required(value), ...choices(value), ...(value.documented as Json | undefined) };
  }

  return {
    /** Returns a reference to an OpenAPI schema as a component. */
    component: named,
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

const isNullable = ({ type }: Json): boolean => Array.isArray(type) && type.includes('null');

/** Returns the shape of which `nullable` made one that allows null. */
function withoutNull({ type, ...rest }: Json): Json {
  const [only] = type as string[];
  const words = rest.enum as unknown[] | undefined;
  return { type: only, ...rest, ...(words ? { enum: words.filter((word) => word !== null) } : {}) };
}

/** Any name: what TypeBox writes for a record. */
const ANY_NAME = '^.*$';

/**
 * Returns words of JSON Schema that say the same, for those that generators of clients do not understand: a record by
 * its values, a closed set of names by its properties, and no fields that are forbidden or undocumented.
 */
function simplerWords(key: string, item: unknown): Json | undefined {
  if (key === 'patternProperties' && Object.keys(item as Json).join() === ANY_NAME)
    return { additionalProperties: (item as Json)[ANY_NAME] };
  if (key === 'propertyNames') return { additionalProperties: false };
  if (key !== 'properties') return undefined;
  const allowed = Object.entries(item as Record<string, Json>).filter(
    ([, field]) => !('not' in field || 'undocumented' in field),
  );
  return allowed.length < Object.keys(item as Json).length
    ? { properties: Object.fromEntries(allowed) }
    : undefined;
}

/** Returns the required fields; fields with a default are optional. */
function required({ required: names, properties }: Json): Json {
  if (!Array.isArray(names)) return {};
  const fields = properties as Record<string, Json>;
  return { required: names.filter((name) => !('default' in (fields[name] ?? {}))) };
}

/** Returns which fields stand for one another, which a rule checks. */
function choices({ atLeastOne = [], exactlyOne = [] }: Json): Json {
  const fields = (names: string[]) => names.map((name) => ({ required: [name] }));
  const groups = [
    ...(atLeastOne as string[][]).map((names) => ({ anyOf: fields(names) })),
    ...(exactlyOne as string[][]).map((names) => ({ oneOf: fields(names) })),
  ];
  return groups.length > 0 ? { allOf: groups } : {};
}

/** Returns an identifier or a text as the name of a component: `Transfer keys` is `TransferKeys`. */
export const pascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
