import { describedOperations, parametersOf } from '../support/api-contract.ts';
import { incompressible, seeded } from '../support/chance.ts';
import type { JsonSchema } from '../support/descriptions.ts';
import type { TestPlatform } from '../support/platform.ts';
import { mutationsOf, type Place, placesIn } from './mutations.ts';
import { poolOf } from './pool.ts';
import { RECIPES } from './recipes/index.ts';
import { bodySchemaOf, requestsOf, type Sent } from './requests.ts';
import { sender } from './sending.ts';
import { typeOf, valuesOf } from './values.ts';
import { worldOf } from './world.ts';

/** The request line has 16 KiB, of which a character of four bytes takes twelve. */
const MAX_IN_QUERY = 1_000;
/** Whether a text may be long; ids and words of a list are short, as are texts with a pattern and without a length. */
const isFree = ({ holder, name, schema }: Place): boolean =>
  typeof holder[name] === 'string' &&
  typeOf(schema) === 'string' &&
  !schema.enum &&
  (!schema.pattern || (schema.maxLength ?? 0) > 255);

/**
 * Sends a valid request to each operation for each of its texts, with that text as long as the description allows,
 * and longer in bytes than an index of PostgreSQL accepts.
 */
export async function askWithLongestTexts(platform: TestPlatform, seed: number) {
  const chance = seeded(seed);
  const letters = (length: number): string => incompressible(length, chance);
  const pool = poolOf(chance);
  const world = worldOf(platform, chance);
  const valid = valuesOf(chance, pool);
  const requests = requestsOf({ world, chance, pool, valid, mutations: mutationsOf(chance, pool) });
  const { send, count, granted, faults } = sender(world, pool);

  const digits = (length: number): string =>
    Array.from({ length }, () => chance.below(36).toString(36)).join('');

  /** Patterns of long texts accept any visible ASCII. */
  function longest({ format, pattern, maxLength = 1_000 }: JsonSchema): string {
    if (format === 'uri') return `https://a.test/${digits(maxLength - 15)}`;
    if (format === 'email') return `${'a'.repeat(60)}@${'b'.repeat(60)}.test`;
    return pattern ? digits(maxLength) : letters(maxLength);
  }

  /** Returns the requests of an operation, each with one of its texts at its longest. */
  async function requestsWith(operation: Sent['operation'], isWhole: boolean): Promise<Sent[]> {
    const newRequest = async () => {
      const ingredients = (await RECIPES[operation.id]?.(world).catch(() => undefined)) ?? {};
      const schema = bodySchemaOf(operation);
      const whole =
        isWhole && ingredients.body && schema
          ? { ...(valid(schema, '', 1) as object), ...ingredients.body }
          : undefined;
      return requests.good(operation, whole ? { ...ingredients, body: whole } : ingredients, 1);
    };
    const first = await newRequest();
    const schema = bodySchemaOf(operation);
    const inBody = schema ? placesIn(first.body, schema).filter(isFree) : [];
    const sent: Sent[] = [];
    for (const place of inBody.keys()) {
      const request = await newRequest();
      const chosen = placesIn(request.body, schema ?? {}).filter(isFree)[place];
      if (!chosen) continue;
      chosen.holder[chosen.name] = longest(chosen.schema);
      sent.push({ ...request, text: JSON.stringify(request.body), what: `the longest ${chosen.name}` });
    }
    for (const { name, schema: ofQuery } of parametersOf(operation, 'query')) {
      if (typeOf(ofQuery) !== 'string' || ofQuery.enum) continue;
      const request = await newRequest();
      const [path] = request.path.split('?');
      request.query.set(name, letters(Math.min(ofQuery.maxLength ?? MAX_IN_QUERY, MAX_IN_QUERY)));
      sent.push({ ...request, path: `${path}?${request.query}`, what: `the longest ${name}` });
    }
    for (const { name, schema: ofPath } of parametersOf(operation, 'path')) {
      if (ofPath.pattern) continue;
      const path = operation.path
        .replace(`{${name}}`, encodeURIComponent(letters(40)))
        .replaceAll(/\{\w+\}/g, 'f'.repeat(24));
      sent.push({ ...(await newRequest()), path, what: `the longest ${name}` });
    }
    return sent;
  }

  // Once with the fields of a recipe, which succeeds, and once with every other field added.
  for (const isWhole of [false, true])
    for (const [place, operation] of describedOperations().entries()) {
      if (isWhole && RECIPES[operation.id] === undefined) continue;
      if (place % 10 === 0) {
        await world.mend();
        // The allowances of members refill each minute.
        platform.clock.advance(61_000);
      }
      for (const request of await requestsWith(operation, isWhole)) await send(request);
    }
  return { count: count(), granted, faults };
}
