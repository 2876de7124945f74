import fc from 'fast-check';
import { memoized } from '../../src/kernel/concurrency/lazy.ts';
import { resolved as componentOf } from '../support/api-contract.ts';
import type { Chance } from '../support/chance.ts';
import type { JsonSchema } from '../support/descriptions.ts';
import type { Pool } from './pool.ts';

const OBJECT_ID = '^[0-9a-f]{24}$';
const WORDS = [
  'Gold breaks out',
  'Zażółć gęślą jaźń',
  '👩‍🚀 to the moon',
  'a',
  'null',
  'שלום',
  '50 % "off" <b>',
];
/** Longer texts are seldom generated, because they take most of the time. */
const MAX_FILLED = 5_000;
const OF_FORMAT: Record<string, (chance: Chance) => string> = {
  email: ({ below }) => `fuzz${below(1e9)}@example.com`,
  uri: ({ below }) => `https://cdn.example.com/${below(100)}.png`,
  'time-zone': ({ pick }) => pick(ZONES),
  uuid: () => '0193a1b2-7c3d-4e5f-8a9b-0c1d2e3f4a5b',
};
const ZONES = ['UTC', 'Europe/Warsaw', 'America/St_Johns', 'Pacific/Kiritimati'];
const arbitraryOf = memoized(({ pattern }: { pattern: string }) =>
  fc.stringMatching(new RegExp(pattern, 'u')),
);

/** Returns the schema that a reference points to. */
export const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : resolved(componentOf(schema));

export const typeOf = ({ type }: JsonSchema): string | undefined => (Array.isArray(type) ? type[0] : type);

/** The groups of fields of which exactly one is required. */
const groupsOf = ({ allOf = [] }: JsonSchema): string[][] =>
  allOf
    .map(({ anyOf, oneOf = anyOf ?? [] }) => oneOf.flatMap(({ required = [] }) => required))
    .filter((names: string[]) => names.length > 0);
const isAlternative = (schema: JsonSchema, name: string): boolean =>
  groupsOf(schema).some((names) => names.includes(name));

/** Generates values that are valid for schemas, and that refer to existing records. */
export function valuesOf(chance: Chance, pool: Pool) {
  const { pick, below, happens } = chance;

  function text(schema: JsonSchema, name: string): string {
    const { format, pattern, examples } = schema;
    const fromPool = pool.one(name)?.value;
    if (fromPool !== undefined && (pattern === OBJECT_ID || !pattern) && happens(0.9)) return fromPool;
    if (pattern === OBJECT_ID) return pool.any().length === 24 ? pool.any() : 'f'.repeat(24);
    const formatted = OF_FORMAT[format ?? '']?.(chance);
    if (formatted !== undefined) return formatted;
    if (examples && happens(0.6)) return pick(examples as string[]);
    return pattern ? matching(schema as { pattern: string }) : anyText(schema);
  }

  const matching = (schema: { pattern: string }): string =>
    fc.sample(arbitraryOf(schema), { numRuns: 1, seed: below(1e9) })[0] as string;

  function anyText({ minLength = 0, maxLength = 100 }: JsonSchema): string {
    if (happens(0.05) && maxLength <= MAX_FILLED) return '💥'.repeat(maxLength);
    const words = `${pick(WORDS)} ${below(1_000)}`;
    return [...words].slice(0, maxLength).join('').trim().padEnd(minLength, 'x');
  }

  function number(schema: JsonSchema): number {
    const { minimum, exclusiveMinimum, maximum = 1_000, examples } = schema;
    const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
    if (examples && happens(0.5)) return pick(examples as number[]);
    if (happens(0.1)) return least;
    if (happens(0.05)) return maximum;
    return least + below(Math.min(maximum - least, 100) + 1);
  }

  /** Returns a valid value. `share` is the fraction of optional fields that it has. */
  function valid(unresolved: JsonSchema, name: string, share = 0.4): unknown {
    const schema = resolved(unresolved);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum.filter((one) => one !== null));
    if (schema.anyOf) return valid(pick(schema.anyOf), name, share);
    if (schema.oneOf) return valid(pick(schema.oneOf), name, share);
    switch (typeOf(schema)) {
      case 'object':
        return object(schema, share);
      case 'array': {
        const { minItems = 0, maxItems = 3, items, uniqueItems } = schema;
        const length = Math.min(maxItems, minItems + below(3));
        const list = Array.from({ length }, () => valid(items ?? {}, name, share));
        return uniqueItems ? [...new Set(list)] : list;
      }
      case 'integer':
        return Math.floor(number(schema));
      case 'number':
        return number(schema);
      case 'boolean':
        return happens(0.5);
      case 'string':
        return text(schema, name);
      default:
        return schema.examples ? pick(schema.examples) : text({}, name);
    }
  }

  /** A made-up time of the last change is that of no record, so that it would have most changes refused. */
  const shareOf = (name: string, share: number) => (name === 'expectedUpdatedAt' ? share / 5 : share);

  /** Chooses one field of each such group. */
  const chosenOf = (schema: JsonSchema): string[] => groupsOf(schema).map((names) => pick(names));

  function object(schema: JsonSchema, share: number): object {
    const { properties = {}, required = [], examples, additionalProperties } = schema;
    if (examples && (additionalProperties === true || happens(0.2)))
      return structuredClone(pick(examples as object[]));
    const needed = [...required, ...chosenOf(schema)];
    const chosen = Object.entries(properties).filter(
      ([name]) => needed.includes(name) || (!isAlternative(schema, name) && happens(shareOf(name, share))),
    );
    return Object.fromEntries(chosen.map(([name, inner]) => [name, valid(inner, name, share)]));
  }

  return valid;
}
export type Values = ReturnType<typeof valuesOf>;
