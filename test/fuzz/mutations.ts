import type { Chance } from '../support/chance.ts';
import type { JsonSchema } from '../support/descriptions.ts';
import type { Pool } from './pool.ts';
import { resolved, typeOf } from './values.ts';

const HOSTILE = [
  '',
  ' ',
  '\u200b',
  '\u202e',
  "' or 1=1 --",
  '../../etc/passwd',
  '{{7*7}}',
  '$where',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  'https://user:pass@host/',
  'http://[',
  'https://例え.テスト/ä',
  '2026-02-30',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01',
  '99999999999999999999',
  '1e999',
  'null',
  '__proto__',
  'constructor',
  '%s%n%00',
  '\\u0000',
  'A'.repeat(24),
  'f'.repeat(24),
  '"',
  '\n\r\t',
  '🏳️‍🌈'.repeat(20),
  'ﷺ'.repeat(50),
];
const NUMBERS = [-1, 0, -0, 0.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 1e21];
const OTHER_TYPES: unknown[] = [null, true, false, 0, 'text', [], {}, [[]], [null], { a: 1 }];
const RAW = [
  '',
  '{',
  '[]',
  '"text"',
  'null',
  '5',
  '{"a":1,}',
  '{"__proto__":{"a":1}}',
  '\u0000',
  '[['.repeat(20_000),
];
const TYPES = [
  'text/plain',
  'application/json; charset=latin1',
  'application/x-www-form-urlencoded',
  'x',
  'a/b',
];

const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) });

export type Place = { holder: Record<string, unknown>; name: string; schema: JsonSchema };

/** Returns every position of a value within an object or a list. */
export function placesIn(value: unknown, unresolved: JsonSchema): Place[] {
  const schema = resolved(unresolved);
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => {
    const inner = Array.isArray(value) ? schema.items : schema.properties?.[name];
    return [{ holder, name, schema: resolved(inner ?? {}) }, ...placesIn(holder[name], inner ?? {})];
  });
}

/** Mutates valid requests, in one place each. */
export function mutationsOf(chance: Chance, pool: Pool) {
  const { pick, below, happens } = chance;
  /** Copied, since a value in a body may be mutated later. */
  const other = (): unknown => structuredClone(pick(OTHER_TYPES));

  const atBounds = (schema: JsonSchema): unknown[] => {
    const { minLength = 0, maxLength, minimum, maximum, exclusiveMinimum, minItems = 0, maxItems } = schema;
    const lengths = maxLength === undefined || maxLength > 20_000 ? [] : [maxLength, maxLength + 1];
    const items = maxItems === undefined || maxItems > 2_000 ? [] : [maxItems + 1];
    return [
      ...lengths.flatMap((length) => ['💥'.repeat(length), 'a'.repeat(length)]),
      ...(minLength > 0 ? ['x'.repeat(minLength - 1)] : []),
      ...(minimum === undefined ? [] : [minimum - 1, minimum]),
      ...(maximum === undefined ? [] : [maximum, maximum + 1]),
      ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
      ...items.map((length) => Array.from({ length }, () => other())),
      ...(minItems > 0 ? [[]] : []),
    ];
  };

  /** Returns another value for a position, valid or not. */
  function instead(schema: JsonSchema, before: unknown): unknown {
    const bounds = atBounds(schema);
    if (bounds.length > 0 && happens(0.35)) return pick(bounds);
    if (typeOf(schema) === 'string' && happens(0.5))
      return schema.pattern?.includes('0-9a-f') && happens(0.6) ? pool.any() : pick(HOSTILE);
    if (['integer', 'number'].includes(typeOf(schema) ?? '') && happens(0.6)) return pick(NUMBERS);
    if (Array.isArray(before) && before.length > 0 && happens(0.5)) return [...before, ...before];
    if (happens(0.1)) return deep(pick([5, 31, 40]));
    return other();
  }

  return {
    /** Changes a body in one or two places, and returns what was changed. */
    body(body: unknown, schema: JsonSchema): string {
      if (typeof body !== 'object' || body === null) return 'nothing';
      const places = placesIn(body, schema);
      if (places.length === 0 || happens(0.08)) {
        const name = pick(['zzz', '__proto__', 'id', 'userId', 'isAdmin', 'constructor', 'A'.repeat(300)]);
        Object.defineProperty(body, name, {
          value: other(),
          enumerable: true,
          writable: true,
          configurable: true,
        });
        return `${name.slice(0, 20)} is unknown`;
      }
      const { holder, name, schema: here } = pick(places);
      if (happens(0.15)) {
        if (Array.isArray(holder)) holder.splice(Number(name), 1);
        else delete holder[name];
        return `${name} is missing`;
      }
      holder[name] = instead(here, holder[name]);
      return `${name} is ${String(JSON.stringify(holder[name])).slice(0, 40)}`;
    },
    /** Returns a text in place of a body; it may not be JSON. */
    text: (): string => pick(RAW),
    contentType: (): string => pick(TYPES),
    /** Mutates a query. */
    query(query: URLSearchParams, names: string[]): string {
      const name =
        names.length > 0 && happens(0.85) ? pick(names) : pick(['zzz', 'token', '__proto__', 'q[]']);
      const value = String(pick<unknown>([...HOSTILE, ...NUMBERS, '', 'x', '-1', '1000', pool.any()]));
      if (happens(0.2)) query.append(name, value);
      else query.set(name, value);
      return `?${name}=${value.slice(0, 40)}`;
    },
    /** Returns a replacement for an id of the path. */
    segment: (): string =>
      happens(0.4)
        ? pool.any()
        : pick([
            'x',
            'f'.repeat(24),
            'F'.repeat(24),
            '%00',
            '%ff',
            '%2f',
            '..%2f',
            '%',
            '-1',
            'null',
            'a'.repeat(600),
            '💥',
            '%F0%9F%98%80',
            '*',
            ' ',
          ]),
    below,
  };
}
export type Mutations = ReturnType<typeof mutationsOf>;
