import { isDeepStrictEqual } from 'node:util';
import type { Failure } from '../../kernel/failures.ts';
import { type Json, pascalCase } from './schemas.ts';

/** Codes that occur together wherever requests of a kind are refused, under one name. */
const GROUPS: Record<string, string[]> = {
  Malformed: ['MALFORMED_REQUEST', 'MALFORMED_URL', 'UNSAFE_TEXT'],
  InvalidJson: ['INVALID_UTF8', 'JSON_TOO_DEEP', 'MALFORMED_JSON'],
  ApiKeyRequired: ['API_KEY_REQUIRED', 'INVALID_API_KEY'],
  SignInRequired: ['AUTHENTICATION_REQUIRED', 'INVALID_TOKEN', 'TOKEN_EXPIRED'],
};
/** What a group is called in descriptions of responses, which need not list what all requests have in common. */
const GROUP_TEXTS: Record<string, string> = {
  Malformed: 'Malformed request',
  InvalidJson: 'Invalid JSON',
};

/** Shorter names of what hundreds of operations refer to. */
const SHORT_NAMES: Record<string, string> = {
  AccountInactiveOrInsufficientPermissions: 'NotPermitted',
  ApiKeyRequiredOrSignInRequired: 'CredentialsRequired',
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
 * Collects the failures of all operations as components: one response for each set of failures with the same status. It
 * is named after what it stands for (`CourseNotFound`, `AccountInactiveOrNotEnrolled`), or, where that would become too
 * long, after its operation and status (`TransferKeysBadRequest`); so names remain stable.
 * @param failureSchema reference to the schema of every failure
 * @param all the failures of all operations, from which it is known whether a code always has the same message
 */
export function failureComponents(failureSchema: unknown, all: Failure[]) {
  const messages = Map.groupBy(all, ({ code }) => code);
  const responses: Record<string, Json> = {};

  const hasOneMessage = (code: string): boolean =>
    new Set(messages.get(code)?.map(({ message }) => message)).size <= 1;
  const textOf = ({ code, message }: Failure): string =>
    GROUP_TEXTS[GROUP_OF.get(code) ?? ''] ??
    (hasOneMessage(code) || GENERAL_CODES.has(code) ? message : sentenceCase(code));

  function responseOf(operationId: string, status: number, failures: Failure[]): Json {
    const full = distinct(failures.map(nameOf)).join('Or');
    const joined = SHORT_NAMES[full] ?? full;
    const name =
      joined.length > MAX_NAME
        ? pascalCase(operationId) + (STATUS_NAMES[status] ?? `Status${status}`)
        : joined;
    const schema = schemaOf(status, failures);
    const response = {
      description: distinct(failures.map(textOf)).join('; '),
      ...(status === 429 || status === 503
        ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
        : {}),
      content: { 'application/json': { schema } },
    };
    responses[name] ??= response;
    if (!isDeepStrictEqual(responses[name], response))
      throw new Error(`two different responses are called ${name}`);
    return { $ref: `#/components/responses/${name}` };
  }

  function schemaOf(status: number, failures: Failure[]): Json {
    const error = { enum: distinct(failures.map(({ code }) => code)) };
    return { allOf: [failureSchema, { type: 'object', properties: { status: { const: status }, error } }] };
  }

  return {
    /** Returns the responses of one operation by status, as references. */
    responsesOf(operationId: string, failures: Failure[]): Json {
      const byStatus = Map.groupBy(failures, ({ status }) => status);
      const entries = [...byStatus].sort(([a], [b]) => a - b);
      return Object.fromEntries(
        entries.map(([status, some]) => [status, responseOf(operationId, status, some)]),
      );
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
