import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { lazy } from '../../src/kernel/concurrency/lazy.ts';
import { newAjv } from '../../src/kernel/operations/validation.ts';
import type { Answer } from './answer.ts';
import {
  descriptions,
  type JsonSchema,
  type OperationObject,
  type Parameter,
  placeIn,
  type Reference,
  type Response,
} from './descriptions.ts';

/** An operation in the OpenAPI description. */
export interface DescribedOperation {
  id: string;
  method: string;
  path: string;
  /** The Operation Object. */
  is: OperationObject;
}

// Its types describe the CommonJS export; the module's default export is the function.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020, formats: string[]) => void;

/** A response deviates from the description. */
export class ContractFault extends Error {
  override readonly name = 'ContractFault';
}

/** All operations of the description. */
export const describedOperations = lazy((): DescribedOperation[] =>
  Object.entries(descriptions().api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, is]) => ({
      id: is.operationId,
      method: method.toUpperCase(),
      path,
      is,
    })),
  ),
);

/** The operations by method and number of segments; where several match, the first has the most specific path. */
const byLength = lazy(() => {
  const groups = Map.groupBy(describedOperations(), ({ method, path }) => keyOf(method, path.split('/')));
  for (const group of groups.values()) group.sort((a, b) => (a.path < b.path ? -1 : 1));
  return groups;
});
const keyOf = (method: string, segments: string[]): string => `${method} ${segments.length}`;

/** Returns the operation that a request reaches; undefined if it reaches none. */
function operationAt(method: string, url: string): DescribedOperation | undefined {
  const segments = (url.split('?', 1)[0] as string).replace(/(?<=.)\/$/, '').split('/');
  return byLength()
    .get(keyOf(method, segments))
    ?.find(({ path }) => {
      const isSame = (part: string, place: number) => part.startsWith('{') || part === segments[place];
      return path.split('/').every(isSame);
    });
}

const compiler = lazy((): Ajv2020 => {
  const ajv = newAjv({ removeAdditional: false, useDefaults: false });
  addFormats(ajv, ['email', 'uri', 'date']);
  return ajv.addSchema({ ...(strict(descriptions().api) as object), $id: 'api' });
});

/** The schema that every successful response extends; closing it by itself would refuse all data. */
const OPEN = 'Success';

/**
 * Returns the schemas with every object closed, so that a field that is not described is a fault. The parts of an
 * `allOf` describe one object together, so they are closed as a whole.
 */
function strict(value: unknown, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((one) => strict(one, isPart));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value))
    copy[key] = key === 'examples' ? inner : strict(inner, key === 'allOf' || key === OPEN);
  if (isPart) return copy;
  if (copy.allOf !== undefined) copy.unevaluatedProperties = false;
  else if (copy.type === 'object' && copy.properties !== undefined) copy.additionalProperties ??= false;
  return copy;
}

/** Returns how a value violates the schema at this reference of the description; undefined if it does not. */
function schemaViolation(reference: string, value: unknown): string | undefined {
  // The compiler compiles a schema at its first use and caches it.
  const check = compiler().getSchema(`api${reference}`) as ValidateFunction;
  return check(value) ? undefined : compiler().errorsText(check.errors);
}

const ALWAYS = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Returns the JSON pointer to an operation in the description. */
const placeOf = ({ path, method }: DescribedOperation): string =>
  `#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method.toLowerCase()}`;

/** Returns the response that an operation declares for a status, either for this status or as `default`. */
function responseOf({ is }: DescribedOperation, status: number): Response | undefined {
  const { [status]: own, default: usual } = is.responses;
  if (own || !usual) return own;
  const statuses = failureSchema(usual)?.properties?.status ?? {};
  return (statuses.enum ?? [statuses.const]).includes(status) ? usual : undefined;
}

/** Returns the schema of a response's failures, without the envelope. */
const failureSchema = (response: Response): JsonSchema | undefined =>
  resolved(resolved(response).content['application/json']?.schema ?? {}).allOf?.[1];

/** Returns how a response violates the description; undefined if it does not. */
export function violationOfAnswer(method: string, url: string, answer: Answer): string | undefined {
  const { status, headers, body } = answer;
  const operation = operationAt(method, url);
  if (!operation)
    return body?.success === false ? schemaViolation('#/components/schemas/Failure', body) : undefined;
  const summary = `${operation.id} answered ${status} ${body?.error ?? ''}`;
  const declared = responseOf(operation, status);
  if (!declared) return `${summary}, a status that it does not declare`;
  for (const name of ALWAYS) if (!headers.has(name)) return `${summary} without ${name}`;
  if ((status === 429 || status === 503) && !headers.has('retry-after'))
    return `${summary} without Retry-After`;
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const response = resolved(declared);
  if (status === 302) return undefined;
  const schema = response.content[type]?.schema;
  if (!schema) return `${summary} as ${type}, which it does not declare`;
  if (type !== 'application/json') return undefined;
  if (body.status !== status) return `${summary} with the status ${body.status} in its body`;
  const place = declared.$ref ?? `${placeOf(operation)}/responses/${status}`;
  const misfit = schemaViolation(schema.$ref ?? `${place}/content/application~1json/schema`, body);
  return misfit && `${summary}, which does not fit: ${misfit}\n${JSON.stringify(body).slice(0, 2_000)}`;
}

/** Resolves a value of the description if it is a reference. */
export const resolved = <Value extends Reference>(value: Value): Value =>
  value.$ref === undefined ? value : (placeIn(descriptions().api, value.$ref) as Value);

/** Returns the codes that an operation declares. */
export function codesOf({ is }: Pick<DescribedOperation, 'is'>): string[] {
  return Object.entries(is.responses)
    .filter(([status]) => !(Number(status) < 400))
    .flatMap(([, response]) => (failureSchema(response)?.properties?.error?.enum ?? []) as string[]);
}

/** Returns the parameters of an operation in its path or its query. */
export const parametersOf = ({ is }: Pick<DescribedOperation, 'is'>, place: 'path' | 'query'): Parameter[] =>
  is.parameters
    .map(resolved)
    .filter((one) => one.in === place)
    .map(({ schema, ...rest }) => ({ ...rest, schema: resolved(schema) }));
