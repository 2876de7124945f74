import { type Sample, withSamples } from './samples.ts';
import type { Json } from './schemas.ts';

interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: (Parameter & { $ref?: string })[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { $ref?: string } & ResponseObject>;
  'x-codeSamples': Sample[];
}
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Json;
}
interface ResponseObject {
  content: Record<string, { schema: Json }>;
}
interface Description {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Json> };
}

/**
 * Returns the operations of an OpenAPI description as Markdown, for readers who take in text: each with its parameters,
 * body, result and codes, then every named shape once, in the notation of TypeScript's types.
 */
export function operationsAsMarkdown(openapi: object): string {
  const description = withSamples(openapi) as Description;
  const common = commonCodes(description);
  const sections = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(description.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = ''] = operation.tags;
      const texts = sections.get(tag) ?? [];
      sections.set(tag, texts);
      texts.push(operationText(description, `${method.toUpperCase()} ${path}`, operation, common));
    }
  const shapes = Object.entries(description.components.schemas)
    .filter(([name]) => !name.endsWith('Answer'))
    .map(([name, schema]) => `${name} = ${typeOf(schema)}`);
  return [
    `# Operations\n\nAny of them may also fail with ${[...common].join(', ')}.`,
    ...[...sections].map(([tag, texts]) => `## ${tag}\n\n${texts.join('\n\n')}`),
    `# Shapes\n\n\`\`\`ts\n${shapes.join('\n')}\n\`\`\``,
  ].join('\n\n');
}

function operationText(
  description: Description,
  request: string,
  operation: OperationObject,
  common: Set<string>,
): string {
  const parameters = operation.parameters.map((one) => resolved<Parameter>(description, one));
  const body = operation.requestBody?.content['application/json'];
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [Number(status), resolved<ResponseObject>(description, response)] as const,
  );
  const success = responses.find(([status]) => status < 400)?.[1];
  const codes = failureCodes(description, operation).filter((code) => !common.has(code));
  return [
    `### ${operation.operationId}: ${operation.summary}`,
    `\`${request}\``,
    operation.description,
    [
      ...parameters.map(
        ({ name, in: place, required, schema }) =>
          `- ${place} \`${name}${required ? '' : '?'}: ${typeOf(schema)}\``,
      ),
      ...(body ? [`- body \`${typeOf(body.schema)}\``] : []),
      ...(success ? [`- data \`${typeOf(dataOf(description, success))}\``] : []),
      ...(codes.length > 0 ? [`- codes ${codes.join(', ')}`] : []),
    ].join('\n'),
    ...operation['x-codeSamples']
      .filter(({ lang }) => lang === 'typescript')
      .map(({ source }) => `\`\`\`ts\n${source}\n\`\`\``),
  ].join('\n\n');
}

/** Returns the shape of `data` in a successful response; a response is the envelope with this data. */
function dataOf(description: Description, { content }: ResponseObject): Json {
  const answer = resolved<{ allOf: [Json, { properties: { data: Json } }] }>(
    description,
    content['application/json']?.schema ?? {},
  );
  return answer.allOf[1].properties.data;
}

/** Returns the codes that a third of all operations or more may fail with. */
function commonCodes(description: Description): Set<string> {
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  const all = operations.flatMap((operation) => failureCodes(description, operation));
  const counts = Map.groupBy(all, (code) => code);
  return new Set(
    [...counts.keys()].filter((code) => (counts.get(code)?.length ?? 0) >= operations.length / 3),
  );
}

const failureCodes = (description: Description, { responses }: OperationObject): string[] =>
  Object.entries(responses)
    .filter(([status]) => !(Number(status) < 400))
    .flatMap(([, response]) => {
      const { content } = resolved<ResponseObject>(description, response);
      const { allOf } = resolved<FailureSchema>(description, content['application/json']?.schema ?? {});
      return allOf[1].properties.error.enum;
    });

interface FailureSchema {
  allOf: [Json, { properties: { error: { enum: string[] } } }];
}

function resolved<Found>(description: Description, value: { $ref?: unknown }): Found {
  if (typeof value.$ref !== 'string') return value as Found;
  const steps = value.$ref.split('/').slice(1);
  return steps.reduce((at, step) => (at as Json)[step], description as unknown) as Found;
}

/** Returns a schema in the notation of TypeScript's types. */
function typeOf(schema: Json): string {
  const { $ref, const: value, enum: words, type, items, properties, anyOf, allOf } = schema as SchemaObject;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (value !== undefined) return JSON.stringify(value);
  if (words) return words.map((word) => JSON.stringify(word)).join(' | ');
  if (anyOf) return anyOf.map(typeOf).join(' | ');
  if (allOf && !properties) return allOf.map(typeOf).join(' & ');
  const types = Array.isArray(type) ? type : [type ?? 'unknown'];
  return types
    .map((one) => {
      if (one === 'array') return items ? `(${typeOf(items)})[]` : 'unknown[]';
      if (one === 'object') return properties ? objectOf(schema as SchemaObject) : 'object';
      return one === 'integer' ? 'number' : one;
    })
    .join(' | ');
}

interface SchemaObject {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  items?: Json;
  properties?: Record<string, Json>;
  required?: string[];
  anyOf?: Json[];
  allOf?: Json[];
}

const objectOf = ({ properties = {}, required = [] }: SchemaObject): string =>
  `{ ${Object.entries(properties)
    .map(([name, one]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(one)}`)
    .join('; ')} }`;
