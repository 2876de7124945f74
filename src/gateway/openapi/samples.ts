import { audienceOf, forWhom } from './audiences.ts';
import type { Json } from './schemas.ts';
import { camelCase, sdkMethodOf } from './sdk-methods.ts';
import { rankOfAudience } from './sections.ts';

/** How the samples call the credentials that a request carries, by security scheme. */
const HEADERS: Record<string, string> = {
  apiKey: 'X-API-Key: $API_KEY',
  bearer: 'Authorization: Bearer $ACCESS_TOKEN',
  internalKey: 'X-Internal-API-Key: $INTERNAL_API_KEY',
  webhookSignature: 'Stripe-Signature: $SIGNATURE',
  webhookSecret: 'X-Webhook-Secret: $WEBHOOK_SECRET',
};

interface OperationObject {
  operationId: string;
  description?: string;
  parameters: { $ref?: string }[];
  requestBody?: { content: { 'application/json': { schema: Json } } };
  responses: Record<string, Json>;
  security?: Record<string, unknown>[];
  tags: string[];
  deprecated?: boolean;
  'x-audience'?: string[];
  'x-idempotent'?: boolean;
  'x-pagination'?: object;
}
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}
interface Schema extends Json {
  $ref?: string;
  type?: string | string[];
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  minProperties?: number;
}
export interface Sample {
  lang: string;
  label: string;
  source: string;
}

/**
 * Returns an OpenAPI description with samples for each operation (`x-codeSamples`): a call of the SDK where it has one,
 * and one of curl. Their values are the examples of the shapes. The description of each ends with whom it is for.
 */
export function withSamples(openapi: object): object {
  const description = openapi as Description;
  // The reference shows this text beside its choice of credentials, where space is limited.
  const { security, ...others } = description;
  const paths = Object.entries(description.paths).map(([path, methods]) => {
    const sampled = Object.entries(methods).map(([method, operation]) => [
      method,
      {
        security,
        ...operation,
        description: [operation.description, forWhom(audienceOf(description, operation))]
          .filter(Boolean)
          .join('\n\n'),
        'x-codeSamples': samplesOf(description, operation, { method, path }),
      },
    ]);
    return [path, Object.fromEntries(sampled)] as const;
  });
  // Within a group, operations of members come before those of administrators.
  const rankOf = (methods: Description['paths'][string]): number =>
    Math.min(
      ...Object.values(methods).map((operation) => rankOfAudience(audienceOf(description, operation))),
    );
  paths.sort(([, one], [, other]) => rankOf(one) - rankOf(other));
  return { ...others, paths: Object.fromEntries(paths) };
}

interface Description {
  /** What operations need that do not say otherwise. */
  security: Record<string, unknown>[];
  'x-audience'?: string[];
  paths: Record<string, Record<string, OperationObject>>;
}
interface Place {
  method: string;
  path: string;
}

function samplesOf(description: Description, operation: OperationObject, place: Place): Sample[] {
  const request = requestOf(description, operation);
  const typescript = callOf(description, operation, request);
  return [
    ...(typescript ? [{ lang: 'typescript', label: 'TypeScript', source: typescript }] : []),
    {
      lang: 'shell',
      label: 'curl',
      source: curlOf({ security: description.security, ...operation }, request, place),
    },
  ];
}

/** The values of a request: its required fields, otherwise a few of its optional ones. */
interface Request {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
}

function requestOf(description: Description, { parameters, requestBody }: OperationObject): Request {
  const all = parameters.map((one) => resolved<Parameter>(description, one));
  const valuesIn = (place: string) =>
    Object.fromEntries(
      all
        .filter((one) => one.in === place && one.required)
        .map(({ name, schema }) => [name, exampleOf(description, schema, name)]),
    );
  const schema = requestBody?.content['application/json'].schema;
  return {
    params: valuesIn('path'),
    query: valuesIn('query'),
    body: schema && bodyOf(description, resolved<Schema>(description, schema)),
  };
}

/** Optional fields that a sample of a body without required ones shows. */
const SHOWN_FIELDS = 2;

function bodyOf(description: Description, schema: Schema): Record<string, unknown> {
  const { properties = {}, required = [], allOf = [] } = schema;
  const chosen = allOf.flatMap(({ anyOf, oneOf }) => (anyOf ?? oneOf)?.[0]?.required ?? []);
  const needed = Object.keys(properties).filter((name) => required.includes(name) || chosen.includes(name));
  const names = needed.length > 0 ? needed : Object.keys(properties).slice(0, SHOWN_FIELDS);
  return Object.fromEntries(
    names.map((name) => [name, exampleOf(description, properties[name] as Schema, name)]),
  );
}

/** Returns an example of a schema, or the simplest value that it allows. */
function exampleOf(description: Description, schema: Schema, name: string): unknown {
  const found = resolved<Schema>(description, schema);
  const { examples, const: only, enum: words, default: usual, anyOf, items } = found;
  for (const value of [examples?.[0], only, words?.[0], usual]) if (value !== undefined) return value;
  if (anyOf) return exampleOf(description, anyOf[0] as Schema, name);
  switch ([found.type].flat()[0]) {
    case 'array':
      return [exampleOf(description, items ?? {}, name)];
    case 'object':
      return bodyOf(description, found);
    case 'integer':
    case 'number':
      return found.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return `<${name}>`;
  }
}

/** Returns the call of the SDK, and what one does with its result; undefined where the SDK has none. */
function callOf(description: Description, operation: OperationObject, request: Request): string | undefined {
  const { operationId: id, tags, deprecated = false } = operation;
  const audience = audienceOf(description, operation);
  const found = sdkMethodOf({ id, tag: tags[0] as string, isDeprecated: deprecated, audience });
  if (!found) return undefined;
  const { params, query, body } = request;
  const input = body ? renamed(body) : query;
  const given = [...Object.values(params), ...(Object.keys(input).length > 0 ? [input] : [])];
  const call = `${found.entry}.${found.group}.${found.method}(${given.map((value) => literal(value)).join(', ')})`;
  const data = dataOf(description, operation);
  const name = nameOf(data);
  if (data.type === 'array' && operation['x-pagination'])
    return `for await (const ${name} of ${call}) console.log(${name});`;
  if (data.type === 'array') return `const ${plural(name)} = await ${call};`;
  const fields = fieldsOf(resolved<Schema>(description, data));
  if (fields.length === 0) return `await ${call};`;
  if (!/Result$/.test(data.$ref ?? '')) return `const ${name} = await ${call};`;
  return `const { ${shownOf(fields).join(', ')} } = await ${call};`;
}

/** Characters of the fields that a sample takes out of a result. */
const MAX_SHOWN = 24;

/** Returns the first fields that fit, at least one. */
function shownOf(fields: string[]): string[] {
  const lengths = fields.map((_field, place) => fields.slice(0, place + 1).join(', ').length);
  return fields.filter((_field, place) => place === 0 || (lengths[place] as number) <= MAX_SHOWN);
}

/** Returns the fields that are always in a result, by their names in the SDK. */
const fieldsOf = ({ properties = {}, required = [] }: Schema): string[] =>
  Object.keys(properties)
    .filter((name) => required.includes(name))
    .map(camelCase);

/** Returns a body under the names of the SDK, which differ only at the top of a body. */
const renamed = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [camelCase(name), value]));

/** Returns the shape of `data` in the successful answer. */
function dataOf(description: Description, { responses }: OperationObject): Schema {
  const [, success] = Object.entries(responses).find(([status]) => Number(status) < 300) as [string, Json];
  const { content } = success as { content: { 'application/json': { schema: Schema } } };
  const answer = resolved<Schema>(description, content['application/json'].schema);
  return answer.allOf?.[1]?.properties?.data ?? {};
}

/** Returns a variable name for a value of this shape: `transaction`, or `item` if the shape has no name. */
function nameOf(data: Schema): string {
  const name =
    (data.items?.$ref ?? data.$ref)
      ?.split('/')
      .at(-1)
      ?.replace(/Result$/, '') ?? 'Item';
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

const plural = (name: string): string => (name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`);

/** Characters of an object on one line: the reference shows samples in a narrow column. */
const MAX_LINE = 40;

/** Returns a value in the notation of TypeScript. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(([name, one]) => `${keyOf(name)}: ${literal(one, inner)}`);
  const [open, close, space] = isList ? ['[', ']', ''] : ['{', '}', ' '];
  if (parts.length === 0) return open + close;
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (line.length <= MAX_LINE && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

/** Returns the request as a command of curl. */
function curlOf(operation: OperationObject, { params, query, body }: Request, place: Place): string {
  const { security, 'x-idempotent': isIdempotent } = operation;
  const path = place.path.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const url = `$BASE_URL${path}${search.size > 0 ? `?${search}` : ''}`;
  const method = place.method.toUpperCase();
  const isImplied = method === (body ? 'POST' : 'GET');
  const headers = Object.keys(security?.[0] ?? {}).flatMap((scheme) => HEADERS[scheme] ?? []);
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}"${url}"`,
    ...headers.map((header) => `-H "${header}"`),
    ...(isIdempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body
      ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]
      : []),
  ];
  return lines.join(' \\\n  ');
}

function resolved<Found>(description: object, value: { $ref?: unknown }): Found {
  if (typeof value.$ref !== 'string') return value as Found;
  const steps = value.$ref.split('/').slice(1);
  return steps.reduce((at, step) => (at as Json)[step], description as unknown) as Found;
}
