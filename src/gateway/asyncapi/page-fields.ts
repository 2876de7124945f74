import { escapeHtml } from '../../kernel/text/html.ts';
import type { Json } from '../openapi/schemas.ts';

type Schemas = Record<string, Json>;

/** Returns the schema, resolving a reference. */
export function resolve(schema: Json, schemas: Schemas): Json {
  if (typeof schema.$ref !== 'string') return schema;
  return schemas[schema.$ref.split('/').at(-1) as string] ?? {};
}

/**
 * Returns a table of the fields of a message, with nested fields under their path; each alternative has its own table.
 */
export function fieldsTable(payload: Json, schemas: Schemas, title: string): string {
  const { data } = (payload.properties ?? {}) as { data?: Json };
  const alternatives = (data?.anyOf ?? [undefined]) as (Json | undefined)[];
  return alternatives
    .map((alternative) => {
      const properties = { ...(payload.properties as Json), ...(alternative ? { data: alternative } : {}) };
      const rows = rowsOf({ ...payload, properties }, schemas, '');
      const caption = alternative ? `${title}, with ${constantsOf(alternative)}` : `Fields of ${title}`;
      return `<table><caption>${escapeHtml(caption)}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
    })
    .join('\n');
}

function rowsOf(schema: Json, schemas: Schemas, path: string): string[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = resolve(property, schemas);
    const items = resolve((field.items ?? {}) as Json, schemas);
    const own = `${path}${name}`;
    const optional = required.includes(name) ? '' : ' <small>(optional)</small>';
    const row = `<tr><th scope="row"><code>${escapeHtml(own)}</code>${optional}</th><td>${escapeHtml(typeOf(field, items))}</td><td>${escapeHtml(meaningOf(field))}</td></tr>`;
    return [row, ...rowsOf(field, schemas, `${own}.`), ...rowsOf(items, schemas, `${own}[].`)];
  });
}

function typeOf({ type, format, const: constant, enum: words }: Json, items: Json): string {
  if (constant !== undefined) return `"${constant}"`;
  if (type === 'array') return `list of ${typeOf(items, {})}`;
  if (Array.isArray(words) && words.length <= 8) return words.map((word) => `"${word}"`).join(' | ');
  const name = Array.isArray(type) ? type.join(' | ') : String(type ?? 'any');
  return format === undefined ? name : `${name} (${format})`;
}

const LIMITS: [keyword: string, words: (limit: unknown) => string][] = [
  ['minLength', (limit) => (limit === 1 ? 'not empty' : `at least ${limit} characters`)],
  ['maxLength', (limit) => `at most ${limit} characters`],
  ['minItems', (limit) => `at least ${limit} items`],
  ['maxItems', (limit) => `at most ${limit} items`],
  ['minimum', (limit) => `from ${limit}`],
];

function meaningOf(field: Json): string {
  const limits = LIMITS.flatMap(([keyword, words]) => (keyword in field ? words(field[keyword]) : []));
  return [field.description, limits.join(', ')].filter(Boolean).join('; ').replaceAll('`', '');
}

const constantsOf = ({ properties = {} }: { properties?: Record<string, Json> }): string =>
  Object.entries(properties)
    .flatMap(([name, { const: constant }]) => (constant === undefined ? [] : `${name} "${constant}"`))
    .join(', ');
