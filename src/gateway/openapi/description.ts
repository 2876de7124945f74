import { isDeepStrictEqual } from 'node:util';
import { type TSchema, Type } from 'typebox';
import type { FailureMaker } from '../../kernel/failures.ts';
import type { Operation } from '../../kernel/operations/operation.ts';
import type { OutgoingMessage } from '../../kernel/operations/outgoing.ts';
import { envelopeOf, paginationShape, VERSION } from '../http/envelope.ts';
import { FORM_TYPES } from '../http/form-body.ts';
import { USUAL_AUDIENCE } from './audiences.ts';
import { SECURITY_SCHEMES, securityOf } from './credentials.ts';
import { failureComponents } from './failure-components.ts';
import { GETTING_STARTED } from './getting-started.ts';
import { impliedFailures, SERVER_FAILURES } from './implied-failures.ts';
import { marksOf } from './marks.ts';
import { describeOutgoing, OUTGOING_PARAMETERS } from './outgoing.ts';
import { parameterComponents } from './parameters.ts';
import { type Json, pascalCase, schemaComponents } from './schemas.ts';
import { GATEWAY_SECTIONS, type Sections, tagsOf } from './sections.ts';

/** What most operations need: the key of the program, and the token of a member. */
const USUAL_SECURITY: Json[] = [{ apiKey: [], bearer: [] }];

const REPLAYED_HEADERS: Json = { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } };
const DEPRECATED_HEADERS: Json = {
  Deprecation: { $ref: '#/components/headers/Deprecation' },
  Link: { $ref: '#/components/headers/SuccessorLink' },
};
const HEADERS: Json = {
  IdempotentReplayed: {
    description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key',
    schema: { type: 'string' },
  },
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745)',
    schema: { type: 'string', examples: ['@1763683200'] },
  },
  SuccessorLink: {
    description: 'The address of the operation to use instead, with `rel="successor-version"`',
    schema: { type: 'string', examples: ['</v1/admin/auth/users>; rel="successor-version"'] },
  },
  RetryAfter: { description: 'Seconds to wait before retrying', schema: { type: 'integer' } },
};

/** Returns all failures of an operation. */
const failuresOf = (operation: Operation) =>
  [...(operation.failures ?? []), ...impliedFailures(operation)].map((make) => make());

/** What the description shows. */
export interface Described {
  operations: Operation[];
  sections: Sections;
  outgoing: OutgoingMessage[];
  /** Failures of routes outside the API, whose codes are listed with those of operations. */
  rawFailures: FailureMaker[];
}

/**
 * Returns the OpenAPI 3.1 description, generated from the shapes that check and serialize. What occurs in several
 * operations is a component: failures, parameters, and the envelope of answers.
 */
export function describe(
  { operations, sections, outgoing, rawFailures }: Described,
  serverUrl: string,
): Json {
  const schemas = schemaComponents();
  const parameters = parameterComponents(operations, schemas);
  const failures = failureComponents(schemas, [
    ...operations.flatMap(failuresOf),
    ...SERVER_FAILURES.map((make) => make()),
  ]);
  const byResult = Map.groupBy(operations, ({ success }) => nameOfResult(success));
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = pathOf(operation.path);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) };
  }

  function describeOperation(operation: Operation): Json {
    const { id, tag, summary, deprecated } = operation;
    return {
      operationId: id,
      tags: [tag],
      summary,
      ...descriptionOf(operation),
      ...(deprecated ? { deprecated: true } : {}),
      ...marksOf(operation),
      ...securityMarkOf(operation),
      parameters: parameters.of(operation),
      ...bodyOf(operation),
      responses: {
        ...successOf(operation),
        ...failures.responsesOf(namesakeOf(operation), failuresOf(operation)),
      },
    };
  }

  /** What a deprecated operation has in common with its successor is named after that one. */
  function namesakeOf({ id, body, success, deprecated }: Operation): string {
    const isSame = (other: Operation): boolean =>
      !other.deprecated && other.body === body && other.success.data === success.data;
    return pascalCase((deprecated && operations.find(isSame)?.id) ?? id);
  }

  function bodyOf(operation: Operation): Json {
    const { body, form } = operation;
    if (!body) return {};
    const schema = schemas.named(`${namesakeOf(operation)}Body`, body);
    const types = ['application/json', ...(form ? FORM_TYPES : [])];
    return {
      requestBody: {
        ...(isEmptyFine(body) ? {} : { required: true }),
        content: Object.fromEntries(types.map((type) => [type, { schema }])),
      },
    };
  }

  /**
   * Returns the successful responses by status. Results are components, and so are answers that several operations have
   * in common, under the name of their result.
   */
  function successOf(operation: Operation): Json {
    const { success, idempotent, deprecated } = operation;
    const { status, alternative, alsoAs, message } = success;
    const headers = { ...(idempotent ? REPLAYED_HEADERS : {}), ...(deprecated ? DEPRECATED_HEADERS : {}) };
    const response = {
      description: message,
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      content: {
        'application/json': { schema: answerOf(operation) },
        ...(alsoAs ? { [alsoAs]: { schema: { type: 'string' } } } : {}),
      },
    };
    return { [status]: response, ...(alternative ? { [alternative]: response } : {}) };
  }

  function answerOf(operation: Operation) {
    const { success } = operation;
    const { data, paged, status, alternative } = success;
    // At run time shapes are JSON Schema, which is read and written here.
    const shape = data as unknown as Json;
    const isNamed = typeof shape.$id === 'string' || (shape.type === 'array' && !paged);
    const result = isNamed
      ? data
      : ({ ...shape, $id: `${namesakeOf(operation)}Result` } as unknown as TSchema);
    const exactStatus = status === 200 || alternative ? {} : { status: { const: status } as TSchema };
    const own = { properties: { ...exactStatus, data: paged ? Type.Array(result) : result } };
    const answer = { allOf: [envelopeOf(success), own] } as unknown as TSchema;
    const name = nameOfResult(success);
    const sharers = (name && byResult.get(name)) || [];
    const isShared = sharers.length > 1 && sharers.every((other) => other.success.status === status);
    return isShared ? schemas.named(`${name}Answer`, answer) : schemas.schema(answer);
  }

  return {
    openapi: '3.1.0',
    info: {
      title: 'Platform API',
      version: VERSION,
      summary: 'The backend platform of paid trading-education communities',
      description: GETTING_STARTED,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    security: USUAL_SECURITY,
    'x-audience': USUAL_AUDIENCE,
    tags: tagsOf(operations, { ...GATEWAY_SECTIONS, ...sections }),
    paths,
    webhooks: describeOutgoing(outgoing, schemas),
    components: {
      schemas: {
        ...schemas.all(),
        ErrorCode: errorCodes([...failures.codes(), ...rawFailures.map((make) => make().code)]),
      },
      responses: failures.responses(),
      parameters: { ...parameters.all(), ...(outgoing.length > 0 ? OUTGOING_PARAMETERS : {}) },
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
    },
  };
}

/** The credentials of an operation, unless they are those of most operations. */
function securityMarkOf({ access }: Operation): Json {
  const security = securityOf(access);
  return isDeepStrictEqual(security, USUAL_SECURITY) ? {} : { security };
}

const errorCodes = (codes: string[]): Json => ({
  type: 'string',
  enum: [...new Set(codes)].sort(),
  description:
    'All error codes of operations, of links to files, and of the server for requests that match no operation. New codes may be added: handle unknown ones by their HTTP status.',
});

/** The name of a result that makes up an answer by itself; undefined if it has none. */
const nameOfResult = (success: Operation['success']): string | undefined =>
  paginationShape(success) ? undefined : ((success.data as unknown as Json).$id as string | undefined);

/** Whether a body may be left out, as an empty one. */
const isEmptyFine = (body: TSchema): boolean => {
  const { required = [], properties = {}, atLeastOne, exactlyOne } = body as unknown as Json;
  const fields = properties as Record<string, Json>;
  return (
    (required as string[]).every((name) => 'default' in (fields[name] ?? {})) && !atLeastOne && !exactlyOne
  );
};

function descriptionOf({ deprecated, description }: Operation): { description?: string } {
  const successor =
    deprecated && `Use \`${pathOf(deprecated.successor)}\` instead, which behaves in the same way.`;
  const sentences = [successor, description].filter(Boolean);
  return sentences.length > 0 ? { description: sentences.join('\n\n') } : {};
}

const pathOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');
