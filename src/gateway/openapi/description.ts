import type { TSchema } from 'typebox';
import type { Failure } from '../../kernel/failures.ts';
import type { Access, Credential } from '../../kernel/operations/access.ts';
import type { Operation } from '../../kernel/operations/operation.ts';
import { FailureEnvelope, successEnvelope, VERSION } from '../http/envelope.ts';
import { FORM_TYPES } from '../http/form-body.ts';
import { impliedFailures } from './implied-failures.ts';
import { type Json, schemaComponents } from './schemas.ts';

const SCHEMES: Record<Credential, Json> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The key of this environment' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The accessToken of a sign-in',
  },
  internalKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Internal-API-Key',
    description: 'Between our services',
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: 'Of the payment provider, over the raw body',
  },
  signedLink: { type: 'apiKey', in: 'query', name: 'token', description: 'Of a link in one of our mails' },
  webhookSecret: { type: 'apiKey', in: 'header', name: 'X-Webhook-Secret', description: 'Of the backoffice' },
};

const RATE_HEADERS: Json = {
  'X-RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'X-RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'X-RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
};

const REPLAYED: Json = { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } };
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your own, new for each thing you want done. The same request with the same key is done once and answered alike for 24 hours.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    examples: ['a5f2e1c0-7b1d-4a51-9d7e-3f1f0f6f2b11'],
  },
};
const HEADERS: Json = {
  IdempotentReplayed: {
    description: '`true` when this is the answer to an earlier request with the same Idempotency-Key',
    schema: { type: 'string' },
  },
  RateLimitLimit: header('Requests allowed in the window closest to its end of allowance'),
  RateLimitRemaining: header('Requests left in that window'),
  RateLimitReset: header('When that window ends, in epoch seconds'),
  RetryAfter: header('Seconds to wait before trying again'),
  RequestId: { description: 'Yours if you sent one, else ours', schema: { type: 'string' } },
};

function header(description: string): Json {
  return { description, schema: { type: 'integer' } };
}

/** The OpenAPI 3.1 description, made of the same shapes that check and serialize. */
export function describe(operations: Operation[], serverUrl: string): Json {
  const components = schemaComponents();
  const failure = components.schema(FailureEnvelope);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) };
  }

  function describeOperation(operation: Operation): Json {
    const { id, tag, summary, description, access, body, success } = operation;
    const answer = {
      description: success.message,
      headers: { ...RATE_HEADERS, ...(operation.idempotent ? REPLAYED : {}) },
      content: {
        'application/json': { schema: components.schema(successEnvelope(success)) },
        ...(success.alsoAs ? { [success.alsoAs]: { schema: { type: 'string' } } } : {}),
      },
    };
    return {
      operationId: id,
      tags: [tag],
      summary,
      description: [description, `Who may call: ${access.name}.`].filter(Boolean).join('\n\n'),
      security: securityOf(access),
      parameters: [
        ...parametersOf(operation.params, 'path'),
        ...parametersOf(operation.query, 'query'),
        ...(operation.idempotent ? [IDEMPOTENCY_KEY] : []),
      ],
      ...(body
        ? {
            requestBody: {
              required: true,
              content: contentOf(components.schema(body), operation.form === true),
            },
          }
        : {}),
      responses: {
        [success.status]: answer,
        ...(success.alternative ? { [success.alternative]: answer } : {}),
        ...failureResponses(
          [...(operation.failures ?? []), ...impliedFailures(operation)].map((make) => make()),
        ),
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
      schema: components.schema(schema as unknown as TSchema),
    }));
  }

  function failureResponses(failures: Failure[]): Json {
    const responses: Record<string, Json> = {};
    for (const status of [...new Set(failures.map((one) => one.status))].sort()) {
      const ofStatus = failures.filter((one) => one.status === status);
      responses[status] = {
        description: [...new Set(ofStatus.map(({ message }) => message))].join('; '),
        headers: {
          ...RATE_HEADERS,
          ...(status === 429 || status === 503
            ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
            : {}),
        },
        content: { 'application/json': { schema: failure, examples: examplesOf(ofStatus) } },
      };
    }
    return responses;
  }

  return {
    openapi: '3.1.0',
    info: {
      title: 'Platform API',
      version: VERSION,
      description: 'The backend platform of paid trading-education communities.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { schemas: components.all(), securitySchemes: SCHEMES, headers: HEADERS },
  };
}

const contentOf = (schema: unknown, isForm: boolean): Json =>
  Object.fromEntries(['application/json', ...(isForm ? FORM_TYPES : [])].map((type) => [type, { schema }]));

const securityOf = ({ credentials }: Access): Json[] =>
  credentials.map((set) => Object.fromEntries(set.map((name) => [name, []])));

function examplesOf(failures: Failure[]): Json {
  const examples: Record<string, Json> = {};
  for (const { status, code, message, details } of failures) {
    const errorId = '0193a1b2-7c3d-4e5f-8a9b-0c1d2e3f4a5b';
    const name = examples[code] ? `${code}_${Object.keys(examples).length}` : code;
    examples[name] = {
      summary: message,
      value: {
        success: false,
        status,
        ...(details.platformAccess ? { statusCode: status } : {}),
        message,
        error: code,
        errorId,
        ...(details.errors ? { errors: details.errors } : {}),
        meta: { timestamp: '2026-11-21T09:30:00.000Z', version: VERSION, errorId },
      },
    };
  }
  return examples;
}
