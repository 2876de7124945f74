import { audienceOf } from '../../src/gateway/openapi/audiences.ts';
import { camelCase, type SdkMethod, sdkMethodOf } from '../../src/gateway/openapi/sdk-methods.ts';

// biome-ignore lint/suspicious/noExplicitAny: a description is JSON, and read defensively
export type Json = any;

/** One operation, as the emitter needs it. */
export interface Described {
  id: string;
  tag: string;
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  summary: string;
  /** Schemas of path parameters and query parameters; undefined where there are none. */
  params: Json | undefined;
  query: Json | undefined;
  /** Schemas of the body and of `data`; where `isList`, `data` is the schema of one item. */
  body: Json | undefined;
  data: Json;
  isList: boolean;
  /** Whether the response has `pagination`, and the cursor parameter of the list: `before` or `after`. */
  isPaged: boolean;
  /** Whether the cursor names only the next page. */
  isFeed: boolean;
  cursor: string | undefined;
  /** The fields of an item that its cursor consists of. */
  cursorOf: string[];
  isIdempotent: boolean;
  /** Whether it may be sent again without a key. */
  isRepeatable: boolean;
  /** Whether the operation returns a table as CSV on request. */
  isCsvToo: boolean;
  isDeprecated: boolean;
  takesToken: boolean;
  audience: string[];
  sdk: SdkMethod | undefined;
  codes: string[];
}

/** Reads all operations of an OpenAPI description. */
export function operationsOf(description: Json): Described[] {
  return Object.entries(description.paths as Json).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(([method, one]) => operationOf(description, path, method, one)),
  );
}

function operationOf(description: Json, path: string, method: string, one: Json): Described {
  const success = Object.entries(one.responses as Json).find(([status]) => Number(status) < 300) as [
    string,
    Json,
  ];
  const { data, pagination } = propertiesOf(description, success[1].content['application/json'].schema);
  const parameters = one.parameters.map((parameter: Json) => resolved(description, parameter));
  const { operationId: id, tags } = one;
  const audience = audienceOf(description, one);
  const [tag] = tags;
  const isDeprecated = one.deprecated === true;
  const { style, cursors: [cursor] = [], cursorOf = [] } = one['x-pagination'] ?? {};
  return {
    id,
    tag,
    method: method.toUpperCase(),
    path,
    summary: one.summary,
    params: objectOf(parameters, 'path'),
    query: objectOf(parameters, 'query'),
    body: one.requestBody?.content['application/json'].schema,
    data: data.type === 'array' ? data.items : data,
    isList: data.type === 'array',
    isPaged: pagination !== undefined,
    isFeed: style === 'cursor',
    cursor,
    cursorOf,
    isCsvToo: 'text/csv' in success[1].content,
    isIdempotent: one['x-idempotent'] === true,
    // A refresh is repeated, too, because the member would have to sign in again without its response.
    isRepeatable: one['x-repeatable'] === true || id === 'refreshToken',
    isDeprecated,
    takesToken: (one.security ?? description.security).some((set: Json) => 'bearer' in set),
    audience,
    sdk: sdkMethodOf({ id, tag, isDeprecated, audience }),
    codes: codesOf(description, one.responses),
  };
}

/** Returns the properties of an object, also of one that several schemas describe together. */
export function propertiesOf(description: Json, schema: Json): Json {
  const { properties, allOf = [] } = resolved(description, schema);
  return Object.assign({}, properties, ...allOf.map((part: Json) => propertiesOf(description, part)));
}

/** Returns the codes that the failures among the responses have. */
function codesOf(description: Json, responses: Json): string[] {
  const codes = Object.entries(responses as Json)
    .filter(([status]) => !(Number(status) < 400))
    .map(([, response]) => resolved(description, response).content['application/json'].schema)
    .flatMap((schema): string[] => propertiesOf(description, schema).error.enum);
  return [...new Set(codes)].sort();
}

/** Returns the schema that parameters of one place form together. */
function objectOf(parameters: Json[], place: string): Json | undefined {
  const found = parameters.filter((one) => one.in === place);
  if (found.length === 0) return undefined;
  return {
    type: 'object',
    required: found.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      found.map(({ name, schema, description }) => [name, { description, ...schema }]),
    ),
  };
}

/** Resolves a reference. */
const resolved = (description: Json, value: Json): Json =>
  value.$ref
    ? value.$ref
        .split('/')
        .slice(1)
        .reduce((at: Json, name: string) => at[name], description)
    : value;

export const nameOf = (reference: string): string => reference.split('/').at(-1) as string;

/** Whether the SDK gives a field another name than the wire does; not if that name is taken. */
const isRenamed = (name: string, fields: Json): boolean =>
  camelCase(name) !== name && !(camelCase(name) in fields);

/**
 * Returns the dotted paths of the fields in a schema whose names differ in the SDK. Lists do not appear in a path.
 */
export function renamedFields(description: Json, schema: Json): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [] } = resolved(description, schema);
  const own = Object.entries(properties as Json).flatMap(([name, inner]) => [
    ...renamedFields(description, inner).map((path) => `${name}.${path}`),
    ...(isRenamed(name, properties) ? [name] : []),
  ]);
  const inner = [items, ...anyOf, ...oneOf].filter(Boolean);
  return [...own, ...inner.flatMap((one) => renamedFields(description, one))];
}
