import { isDeepStrictEqual } from 'node:util';
import type { Failure } from '../../kernel/failures.ts';
import { FailureEnvelope } from '../http/envelope.ts';
import { type Json, pascalCase, type schemaComponents } from './schemas.ts';

/** Codes that occur together wherever requests of a kind are refused, under one name. */
const GROUPS: Record<string, string[]> = {
  Malformed: ['MALFORMED_REQUEST', 'MALFORMED_URL', 'UNSAFE_TEXT'],
  InvalidJson: ['INVALID_UTF8', 'JSON_TOO_DEEP', 'MALFORMED_JSON'],
  ApiKeyRequired: ['API_KEY_REQUIRED', 'INVALID_API_KEY'],
  SignInRequired: ['AUTHENTICATION_REQUIRED', 'INVALID_TOKEN', 'TOKEN_EXPIRED'],
};
/** Codes that descriptions of responses call alike, since they need not list what requests have in common. */
const INVALID_REQUEST = new Set([
  ...(GROUPS.Malformed ?? []),
  ...(GROUPS.InvalidJson ?? []),
  'JSON_TOO_DENSE',
  'INVALID_ID',
  'INVALID_IDEMPOTENCY_KEY',
]);

/** Shorter names for components to which hundreds of operations refer. */
const SHORT_NAMES: Record<string, string> = {
  AccountInactiveOrInsufficientPermissions: 'NotPermitted',
  AccountInactiveOrInsufficientPermissionsOrNotEducator: 'NotPermittedOrNotEducator',
  AccountInactiveOrInsufficientPermissionsOrStepUpRequired: 'NotPermittedOrStepUpRequired',
  ApiKeyRequiredOrSignInRequired: 'CredentialsRequired',
  InvalidIdOrInvalidJsonOrJsonTooDenseOrMalformed: 'InvalidIdOrDenseJson',
  InvalidIdOrInvalidJsonOrMalformed: 'InvalidIdOrJson',
  PayloadTooLarge: 'TooLarge',
  RateLimitExceeded: 'RateLimited',
  ServiceUnavailable: 'Unavailable',
  UnsupportedMediaType: 'NotJson',
  UserDoesNotHaveEducatorPermission: 'NotEducator',
  ValidationFailed: 'Invalid',
};

const GROUP_OF = new Map(
  Object.entries(GROUPS).flatMap(([name, codes]) => codes.map((code) => [code, name])),
);

/** Failures with these codes are named by their message: `UserNotFound`, not `NotFound`. */
const GENERAL_CODES = new Set(['NOT_FOUND', 'FORBIDDEN']);

/** A response whose failures make a longer name is named after its operation. */
const MAX_NAME = 60;

/**
 * Codes with which any operation of its kind may refuse a request. Together they form its `default` response; a
 * status with no other failures is not listed separately.
 */
const USUAL_CODES = new Set([
  ...Object.values(GROUPS).flat(),
  'INVALID_ID',
  'VALIDATION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMIT_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'IDEMPOTENCY_KEY_REUSED',
  'INVALID_IDEMPOTENCY_KEY',
  'REQUEST_IN_PROGRESS',
]);
const USUAL_TEXT = 'Invalid request or credentials, a limit exceeded, or the platform overloaded';

/** The name of a response of usual failures: `AnyMemberWrite`, `AnyClientReadById`, `AnyMemberKeyedWrite`. */
function nameOfUsual(codes: string[]): string {
  const caller = codes.includes('TOKEN_EXPIRED')
    ? 'Member'
    : codes.includes('API_KEY_REQUIRED')
      ? 'Client'
      : 'Open';
  const write = codes.includes('REQUEST_IN_PROGRESS') ? 'KeyedWrite' : 'Write';
  const kind = codes.includes('UNSUPPORTED_MEDIA_TYPE') ? write : 'Read';
  return `Any${caller}${kind}${codes.includes('INVALID_ID') ? 'ById' : ''}`;
}

const STATUS_NAMES: Record<number, string> = {
  400: 'BadRequest',
  401: 'CredentialsRequired',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  503: 'Unavailable',
};

/**
 * Collects the failures of all operations as components: one response for each set of failures with the same status.
 * It is named after its failures (`CourseNotFound`, `AccountInactiveOrNotEnrolled`), or, where that would become too
 * long, after its operation and status (`TransferKeysBadRequest`); so names remain stable.
 * @param all the failures of all operations, from which it is known whether a code always has the same message
 */
export function failureComponents(schemas: ReturnType<typeof schemaComponents>, all: Failure[]) {
  const anyFailure = schemas.schema(FailureEnvelope);
  const messages = Map.groupBy(all, ({ code }) => code);
  const responses: Record<string, Json> = {};

  const hasOneMessage = (code: string): boolean =>
    new Set(messages.get(code)?.map(({ message }) => message)).size <= 1;
  const textOf = ({ code, message }: Failure): string => {
    if (INVALID_REQUEST.has(code)) return 'Invalid request';
    return hasOneMessage(code) || GENERAL_CODES.has(code) ? message : sentenceCase(code);
  };

  function responseOf(operationId: string, status: number, failures: Failure[]): Json {
    const full = distinct(failures.map(nameOf)).join('Or');
    const joined = SHORT_NAMES[full] ?? full;
    const isLong = joined.length > MAX_NAME;
    const name = isLong ? pascalCase(operationId) + (STATUS_NAMES[status] ?? `Status${status}`) : joined;
    return component(name, [status], { text: distinct(failures.map(textOf)).join('; '), failures });
  }

  function usualResponse(failures: Failure[]): Json {
    const statuses = [...new Set(failures.map(({ status }) => status))].sort((a, b) => a - b);
    const name = nameOfUsual(failures.map(({ code }) => code));
    return component(name, statuses, { text: USUAL_TEXT, failures });
  }

  function component(
    name: string,
    statuses: number[],
    { text, failures }: { text: string; failures: Failure[] },
  ): Json {
    const response = {
      description: text,
      ...(statuses.includes(429) || statuses.includes(503)
        ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
        : {}),
      content: { 'application/json': { schema: schemaOf(statuses, failures) } },
    };
    responses[name] ??= response;
    if (!isDeepStrictEqual(responses[name], response))
      throw new Error(`two different responses are called ${name}`);
    return { $ref: `#/components/responses/${name}` };
  }

  function schemaOf(statuses: number[], failures: Failure[]): Json {
    const status = statuses.length > 1 ? { enum: statuses } : { const: statuses[0] };
    const codes = distinct(failures.map(({ code }) => code));
    // That it is an object is said by what all failures have in common.
    const own = { properties: { status, error: { enum: codes } } };
    const schema = { allOf: [anyFailure, own] };
    // Many responses differ only in the kind of record that was not found.
    const [code = ''] = codes;
    return codes.length === 1 && GENERAL_CODES.has(code)
      ? schemas.component(pascalCase(code.toLowerCase()), schema)
      : schema;
  }

  return {
    /** Returns the responses of one operation by status, and its usual ones as `default`, as references. */
    responsesOf(operationId: string, failures: Failure[]): Json {
      const takesToken = failures.some(({ code }) => code === 'TOKEN_EXPIRED');
      const isUsual = ({ code }: Failure): boolean =>
        USUAL_CODES.has(code) || (code === 'ACCOUNT_INACTIVE' && takesToken);
      const byStatus = [...Map.groupBy(failures, ({ status }) => status)].sort(([a], [b]) => a - b);
      const ownOnes = byStatus.filter(([, some]) => !some.every(isUsual));
      // Readers expect at least one refusal that is named.
      const own = ownOnes.some(([status]) => status < 500)
        ? ownOnes
        : [...byStatus.filter(([status]) => status === 429), ...ownOnes];
      return {
        ...Object.fromEntries(own.map(([status, some]) => [status, responseOf(operationId, status, some)])),
        default: usualResponse(failures.filter(isUsual)),
      };
    },
    responses: (): Json => Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1))),
    codes: (): string[] => distinct(all.map(({ code }) => code)),
  };
}

const distinct = (texts: string[]): string[] => [...new Set(texts)].sort();

function nameOf({ code, message }: Failure): string {
  const name = GROUP_OF.get(code) ?? pascalCase(GENERAL_CODES.has(code) ? message : code.toLowerCase());
  return SHORT_NAMES[name] ?? name;
}

const sentenceCase = (code: string): string => {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};
