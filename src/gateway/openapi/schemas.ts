import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;

/** Of our own keywords, those that mean nothing to readers of the description. */
const OURS = new Set(['refusal', 'clampTo', 'maxBytes']);
const FORMATS: Record<string, string | undefined> = {
  'http-url': 'uri',
  mailbox: 'email',
  instant: undefined,
  currency: undefined,
};

/** Turns shapes into OpenAPI schemas: those with a name become components, referred to wherever they stand. */
export function schemaComponents() {
  const components: Record<string, unknown> = {};

  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    const { $id, ...rest } = value as Json;
    if (typeof $id !== 'string') return plainObject(rest);
    components[$id] ??= plainObject(rest);
    return { $ref: `#/components/schemas/${$id}` };
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
    all: (): Json => Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
