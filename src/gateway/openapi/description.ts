import { type TSchema, Type } from 'typebox';
import type { Access, Credential } from '../../kernel/operations/access.ts';
import type { Operation } from '../../kernel/operations/operation.ts';
import { FailureEnvelope, successEnvelope, VERSION } from '../http/envelope.ts';
import { FORM_TYPES } from '../http/form-body.ts';
import { failureComponents } from './failure-components.ts';
import { GETTING_STARTED } from './getting-started.ts';
import { impliedFailures, SERVER_FAILURES } from './implied-failures.ts';
import { marksOf } from './marks.ts';
import { type Json, schemaComponents } from './schemas.ts';

const SCHEMES: Record<Credential, Json> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of this environment' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` returned by a sign-in',
  },
  internalKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Internal-API-Key',
    description: 'The key that internal services authenticate with',
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: 'The signature of the payment provider over the raw body',
  },
  signedLink: { type: 'apiKey', in: 'query', name: 'token', description: 'The token in a link sent by mail' },
  webhookSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Secret',
    description: 'The secret shared with the backoffice',
  },
};

const RATE_HEADERS: Json = {
  'X-RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'X-RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'X-RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
};

const REPLAYED: Json = { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } };
const SUCCEEDED: Json = {
  Deprecation: { $ref: '#/components/headers/Deprecation' },
  Link: { $ref: '#/components/headers/SuccessorLink' },
};
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique text that you choose for each operation you want performed. Within 24 hours, repeating the same request with the same key has no further effect and returns the same response.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    examples: ['a5f2e1c0-7b1d-4a51-9d7e-3f1f0f6f2b11'],
  },
};
const HEADERS: Json = {
  IdempotentReplayed: {
    description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key',
    schema: { type: 'string' },
  },
  RateLimitLimit: header('Requests allowed in the window that is closest to its limit'),
  RateLimitRemaining: header('Requests remaining in that window'),
  RateLimitReset: header('The time at which that window ends, in epoch seconds'),
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745)',
    schema: { type: 'string', examples: ['@1763683200'] },
  },
  SuccessorLink: {
    description: 'The address of the operation to use instead, with `rel="successor-version"`',
    schema: { type: 'string', examples: ['</v1/admin/auth/users>; rel="successor-version"'] },
  },
  RetryAfter: header('Seconds to wait before retrying'),
  RequestId: {
    description: 'The `X-Request-Id` of the request, or a generated one',
    schema: { type: 'string' },
  },
};

function header(description: string): Json {
  return { description, schema: { type: 'integer' } };
}

/** Returns the OpenAPI 3.1 description, generated from the shapes that check and serialize. */
export function describe(operations: Operation[], serverUrl: string): Json {
  const components = schemaComponents();
  const failures = failureComponents(components.schema(FailureEnvelope), RATE_HEADERS);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = pathOf(operation.path);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) };
  }

  function describeOperation(operation: Operation): Json {
    const { id, tag, summary, description, access, body, deprecated } = operation;
    const { success: answer, alternative } = successOf(operation);
    const refusals = [...(operation.failures ?? []), ...impliedFailures(operation)].map((make) => make());
    return {
      operationId: id,
      tags: [tag],
      summary,
      description: [
        deprecated && `Use \`${pathOf(deprecated.successor)}\` instead, which behaves in the same way.`,
        description,
        `Who may call: ${access.name}.`,
      ]
        .filter(Boolean)
        .join('\n\n'),
      ...(deprecated ? { deprecated: true } : {}),
      ...marksOf(operation),
      'x-error-codes': [...new Set(refusals.map(({ code }) => code))].sort(),
      security: securityOf(access),
      parameters: [
        ...parametersOf(operation.params, 'path'),
        ...parametersOf(operation.query, 'query'),
        ...(operation.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ],
      ...(body
        ? {
            requestBody: {
              required: true,
              content: contentOf(components.named(`${pascalOf(id)}Body`, body), operation.form === true),
            },
          }
        : {}),
      responses: {
        [operation.success.status]: answer,
        ...(alternative ? { [alternative]: answer } : {}),
        ...failures.responsesOf(refusals),
      },
    };
  }

  /** Names the body, result and response after the operation as components, for client generators. */
  function successOf({ id, success, idempotent, deprecated }: Operation): {
    success: Json;
    alternative?: number;
  } {
    const name = pascalOf(id);
    // At run time shapes are JSON Schema, which is read and written here.
    const envelope = successEnvelope(success) as unknown as { properties: Json } & TSchema;
    const result = success.data as unknown as Json;
    const isNamed = typeof result.$id === 'string' || (result.type === 'array' && !success.paged);
    const data = isNamed ? success.data : ({ ...result, $id: `${name}Result` } as unknown as TSchema);
    const properties = { ...envelope.properties, data: success.paged ? Type.Array(data) : data };
    const answer = components.named(`${name}Answer`, { ...envelope, properties } as TSchema);
    return {
      ...(success.alternative ? { alternative: success.alternative } : {}),
      success: {
        description: success.message,
        headers: {
          ...RATE_HEADERS,
          ...(idempotent ? REPLAYED : {}),
          ...(deprecated ? SUCCEEDED : {}),
        },
        content: {
          'application/json': { schema: answer },
          ...(success.alsoAs ? { [success.alsoAs]: { schema: { type: 'string' } } } : {}),
        },
      },
    };
  }

  function parametersOf(shape: TSchema | undefined, place: 'path' | 'query'): Json[] {
    const { properties = {}, required = [] } = (shape ?? {}) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: place,
      required: place === 'path' || (required.includes(name) && !('default' in schema)),
      ...(description === undefined ? {} : { description }),
      // A property of a shape is a shape, but its type is only known as JSON.
      schema: components.schema(schema as unknown as TSchema),
    }));
  }

  failures.alsoCodes(SERVER_FAILURES.map((make) => make()));
  const { codes, ...shared } = failures.all();
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
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        ...components.all(),
        ErrorCode: {
          type: 'string',
          enum: codes,
          description:
            'All error codes of operations, and of the server for requests that match no operation. New codes may be added: handle unknown ones by their HTTP status.',
        },
      },
      ...shared,
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      securitySchemes: SCHEMES,
      headers: HEADERS,
    },
  };
}

const contentOf = (schema: unknown, isForm: boolean): Json =>
  Object.fromEntries(['application/json', ...(isForm ? FORM_TYPES : [])].map((type) => [type, { schema }]));

const securityOf = ({ credentials }: Access): Json[] =>
  credentials.map((set) => Object.fromEntries(set.map((name) => [name, []])));

const pathOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

const pascalOf = (id: string): string => id.slice(0, 1).toUpperCase() + id.slice(1);
