import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Failure } from '../../kernel/failures.ts';
import { VERSION } from '../http/envelope.ts';
import type { Json } from './schemas.ts';

/** Longer response names are truncated and made unique by a digest. */
const MAX_NAME = 80;
const ERROR_ID = '0193a1b2-7c3d-4e5f-8a9b-0c1d2e3f4a5b';

/**
 * Collects the failures of all operations as components: one example per failure, and one response per set of failures
 * with the same status. Names depend only on codes and messages, so that they remain stable.
 */
export function failureComponents(failureSchema: unknown, headers: Json) {
  const examples: Record<string, Json> = {};
  const responses: Record<string, Json> = {};
  const codes = new Set<string>();

  function exampleOf(failure: Failure): string {
    const plain = nameOf(failure);
    const value = exampleValue(failure);
    const isTaken = examples[plain] !== undefined && !isDeepStrictEqual(examples[plain].value, value);
    // Most codes have one message; codes with several are distinguished by it.
    const name = isTaken ? `${plain}_${digestOf(failure.message)}` : plain;
    examples[name] ??= { summary: failure.message, value };
    return name;
  }

  function responseOf(status: number, failures: Failure[]): Json {
    const names = [...new Set(failures.map(exampleOf))].sort();
    const name = shortened(names.join('_'));
    const statusCodes = [...new Set(failures.map(({ code }) => code))].sort();
    for (const code of statusCodes) codes.add(code);
    responses[name] ??= {
      description: [...new Set(failures.map(({ message }) => message))].join('; '),
      headers: {
        ...headers,
        ...(status === 429 || status === 503
          ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
          : {}),
      },
      content: {
        'application/json': {
          schema: {
            allOf: [
              failureSchema,
              { type: 'object', properties: { status: { const: status }, error: { enum: statusCodes } } },
            ],
          },
          examples: Object.fromEntries(names.map((one) => [one, { $ref: `#/components/examples/${one}` }])),
        },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }

  return {
    /** Returns the responses of one operation by status, as references. */
    responsesOf(failures: Failure[]): Json {
      const statuses = [...new Set(failures.map(({ status }) => status))].sort();
      return Object.fromEntries(
        statuses.map((status) => [
          status,
          responseOf(
            status,
            failures.filter((one) => one.status === status),
          ),
        ]),
      );
    },
    /** Adds codes that no operation responds with. */
    alsoCodes(failures: Failure[]): void {
      for (const { code } of failures) codes.add(code);
    },
    all: () => ({ examples: sorted(examples), responses: sorted(responses), codes: [...codes].sort() }),
  };
}

const sorted = (components: Record<string, Json>): Json =>
  Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Failures with these codes are named by their message: `UserNotFound`, not `NotFound`. */
const GENERAL_CODES = new Set(['NOT_FOUND', 'INVALID_ID', 'FORBIDDEN', 'AUTHENTICATION_REQUIRED']);

const nameOf = ({ code, message }: Failure): string => pascalOf(GENERAL_CODES.has(code) ? message : code);

const pascalOf = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join('')
    .slice(0, MAX_NAME);

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

const shortened = (name: string): string =>
  name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}_${digestOf(name)}`;

function exampleValue({ status, code, message, details }: Failure): Json {
  const { repeatsStatus, errors, retryAfterSeconds } = details;
  return {
    success: false,
    status,
    ...(repeatsStatus ? { statusCode: status } : {}),
    message,
    error: code,
    errorId: ERROR_ID,
    ...(errors ? { errors } : {}),
    meta: {
      timestamp: '2026-11-21T09:30:00.000Z',
      version: VERSION,
      errorId: ERROR_ID,
      ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
    },
  };
}
