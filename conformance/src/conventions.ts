import type { Exchange } from './exchange.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const CODE = /^[A-Z][A-Z0-9_]*$/;
const WHOLE = /^\d+$/;

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

/**
 * Describes how a response violates the conventions for all responses: envelope and headers (part 1, "Response
 * envelope" and "Limits"; decisions, "Envelope and errors"). Returns undefined if it follows them.
 */
export function violationOf(answer: Exchange): string | undefined {
  if (Object.keys(answer.body).length === 0) return 'the body is not a JSON object';
  return headersMisfit(answer) ?? (answer.status < 400 ? successMisfit(answer) : failureMisfit(answer));
}

function headersMisfit({ headers }: Exchange): string | undefined {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    if (!WHOLE.test(headers.get(name) ?? '')) return `the header ${name} is not a whole number`;
  if (!headers.get('x-request-id')) return 'the header x-request-id is missing';
  return undefined;
}

function successMisfit({ status, body }: Exchange): string | undefined {
  if (body.success !== true) return '"success" of a success is not true';
  if (body.status !== status) return `"status" is ${body.status} in an answer with the status ${status}`;
  if (typeof body.message !== 'string' || body.message === '') return '"message" is not a text';
  if (body.data === undefined) return 'there is no "data"';
  return metaMisfit(body.meta) ?? paginationMisfit(body.pagination, body.data);
}

function metaMisfit(meta: Record<string, unknown> | undefined): string | undefined {
  if (!INSTANT.test(String(meta?.timestamp))) return '"meta.timestamp" is not an ISO 8601 instant in UTC';
  if (meta?.version !== 'v1') return '"meta.version" is not "v1"';
  return undefined;
}

function paginationMisfit(pagination: Record<string, unknown> | undefined, data: unknown) {
  if (pagination === undefined || !('page' in pagination)) return undefined;
  for (const name of ['page', 'limit', 'total', 'pages'])
    if (!isCount(pagination[name])) return `"pagination.${name}" is not a whole number`;
  const { limit, total, pages } = pagination as Record<string, number>;
  if (pagination.totalIsExact !== false && pages !== Math.ceil((total as number) / (limit as number)))
    return '"pagination.pages" does not follow from "total" and "limit"';
  if (Array.isArray(data) && data.length > (limit as number)) return 'the page is longer than its limit';
  return undefined;
}

function failureMisfit({ status, body, headers }: Exchange): string | undefined {
  if (body.success !== false) return '"success" of a failure is not false';
  if ((body.status ?? body.statusCode) !== status)
    return `"status" is ${body.status} in an answer with the status ${status}`;
  if (typeof body.message !== 'string' || body.message === '') return '"message" is not a text';
  if (!CODE.test(String(body.error))) return '"error" is not a code in UPPER_SNAKE_CASE';
  if (!UUID.test(String(body.errorId))) return '"errorId" is not a UUID';
  if (body.meta?.errorId !== body.errorId) return '"meta.errorId" is not "errorId"';
  if (status === 401 && !headers.get('www-authenticate')) return 'a 401 has no header www-authenticate';
  if (status === 429 && !WHOLE.test(headers.get('retry-after') ?? '')) return 'a 429 has no retry-after';
  return metaMisfit(body.meta) ?? errorsMisfit(status, body);
}

function errorsMisfit(status: number, body: Exchange['body']): string | undefined {
  if (status !== 422 || body.error !== 'VALIDATION_FAILED') return undefined;
  const isList = Array.isArray(body.errors) && body.errors.length > 0;
  if (!isList) return 'a failed validation has no "errors"';
  const isNamed = body.errors.every(
    (one: Record<string, unknown>) => typeof one?.field === 'string' && typeof one?.message === 'string',
  );
  return isNamed ? undefined : '"errors" are not {field, message}';
}
