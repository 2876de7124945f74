import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { translateDatabaseError } from '../../kernel/database/database.ts';
import { clientDisconnected } from '../../kernel/database/lanes.ts';
import { Failure, failure, isLoadShedding } from '../../kernel/failures.ts';
import { addressGroup } from '../../kernel/net/addresses.ts';
import { HtmlPage, showsPages } from '../../kernel/operations/operation.ts';
import { privacyOf } from '../../kernel/operations/privacy.ts';
import { codeOf } from '../../kernel/outages.ts';
import { type Privacy, redact, redactHeaders, redactText, redactUrl } from '../../kernel/text/redaction.ts';
import { oncePerSecond } from '../../kernel/time/once-per-second.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Metrics } from '../metrics.ts';
import type { ErrorReport } from '../reports/error-reports.model.ts';
import type { ErrorReports, Flood } from '../reports/error-reports.ts';
import { encloseFailure } from './envelope.ts';
import { sendPage } from './html-pages.ts';
import { malformedJson, unsupportedMediaType } from './json-body.ts';
import { addressOf, operationOf } from './requests.ts';

export const malformedRequest = failure(400, 'MALFORMED_REQUEST', 'Malformed request');
export const malformedUrl = failure(400, 'MALFORMED_URL', 'Malformed URL');
export const routeNotFound = failure(404, 'ROUTE_NOT_FOUND', 'No such route');
export const methodNotAllowed = (allow: string[]) =>
  new Failure(405, 'METHOD_NOT_ALLOWED', 'This path does not support the method', { allow });
export const payloadTooLarge = (maxBytes: number) =>
  new Failure(413, 'PAYLOAD_TOO_LARGE', `The body is larger than ${sizeText(maxBytes)}`);
const sizeText = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / (1024 * 1024)} MiB` : `${bytes / 1024} KiB`;
export const internalError = (cause: unknown) =>
  new Failure(500, 'INTERNAL_ERROR', 'Internal server error', { cause });

const FRAMEWORK_FAILURES: Record<string, () => Failure> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformedRequest,
  FST_ERR_CTP_EMPTY_JSON_BODY: malformedJson,
  FST_ERR_CTP_INVALID_JSON_BODY: malformedJson,
  FST_ERR_BAD_URL: malformedUrl,
};

/** Returns the failure with which to respond to a thrown error. */
function asFailure(thrown: unknown, request: FastifyRequest): Failure {
  // A lost database connection has the same code, perhaps while a client that is still there sends its body.
  const hasLeft = request.raw.destroyed && !request.raw.complete;
  if (hasLeft && codeOf(thrown) === 'ECONNRESET') return clientDisconnected();
  const error = translateDatabaseError(thrown);
  if (error instanceof Failure) return error;
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return payloadTooLarge(request.routeOptions.bodyLimit);
  const makeFailure = FRAMEWORK_FAILURES[code];
  if (makeFailure) return makeFailure();
  if (code.startsWith('FST_') && statusCode >= 400 && statusCode < 500) return malformedRequest();
  return internalError(error);
}

interface FailureDeps {
  reports: ErrorReports;
  log: Logger;
  clock: Clock;
  isProduction: boolean;
  /** Counts requests that are refused with 4xx, and those that are refused because the process is busy. */
  counts: Pick<Metrics, 'refused' | 'shed'>;
}

/** Responds to failures in the envelope and reports them to the error store. */
export function failureAnswers({ reports, log, clock, isProduction, counts }: FailureDeps) {
  const sparing = oncePerSecond(clock);

  /**
   * Returns the key under which floods of a failure are counted and sampled: unauthenticated callers by address, exceeded
   * limits by caller, and refusals of a busy process, of which an attack makes a thousand a second, together. Returns
   * undefined for failures that are always stored.
   */
  function floodOf(request: FastifyRequest, answered: Failure, operation: string): Flood | undefined {
    const { status, code } = answered;
    if (isLoadShedding(answered)) return { key: unavailability(operation, answered) };
    if (status >= 500 && status !== 503) return undefined;
    const { credentials } = request;
    const isKnown =
      credentials?.key !== undefined || credentials?.user !== undefined || credentials?.isService === true;
    if (!isKnown && status === 503) return { key: unavailability(operation, answered) };
    if (!isKnown) return { key: `${addressGroup(addressOf(request))} ${operation} ${code}` };
    const caller = credentials.user?.userId ?? `${credentials.key?.id} ${addressGroup(addressOf(request))}`;
    return status === 429 ? { key: `${caller} ${operation} ${code}`, isOfKnown: true } : undefined;
  }

  /** Returns the report of a failure, as operators read it. */
  function reportOf(request: FastifyRequest, answered: Failure, errorId: string): ErrorReport {
    const operation = operationOf(request);
    // The cause may be a sentence, such as that a system is not configured.
    const cause = answered.cause instanceof Error ? answered.cause : answered;
    const { caller, credentials } = request;
    const user = caller?.kind === 'user' ? caller : credentials?.user;
    const { reason } = answered.details;
    const privacy = privacyOfBody(request);
    return {
      errorId,
      serviceName: operation?.tag ?? 'gateway',
      operation: nameOf(request),
      errorType: cause.name,
      errorCode: answered.code,
      errorMessage: redactText(answered.message),
      ...(reason === undefined ? {} : { reason }),
      statusCode: answered.status,
      ...(isProduction ? {} : { stack: redactText(cause.stack ?? '') }),
      request: {
        method: request.method,
        path: redactUrl(shownPathOf(request, { privacy, hasUser: user !== undefined })),
        requestId: request.id,
        ...(request.trace ? { traceId: request.trace.traceId } : {}),
        headers: redactHeaders(request.headers),
        body: redact(request.body ?? null, undefined, privacy),
      },
      ...(user ? { user: { userId: user.userId, email: user.email } } : {}),
      severity: answered.status >= 500 && !isLoadShedding(answered) ? 'critical' : 'medium',
      timestamp: new Date(clock.now()).toISOString(),
    };
  }

  /** @param leftOut number of similar lines that were omitted before this one */
  function writeLine({ stack, ...line }: ErrorReport, answered: Failure, leftOut: number): void {
    if (isLoadShedding(answered)) log.warn({ ...line, leftOut }, 'request refused: the process is busy');
    else if (answered.status >= 500)
      log.error({ ...line, leftOut, err: answered.cause ?? answered }, line.errorMessage);
    else log.debug(line, line.errorMessage);
  }

  function report(request: FastifyRequest, answered: Failure, errorId: string): void {
    const name = nameOf(request);
    const isShed = isLoadShedding(answered);
    if (isShed) counts.shed(name);
    // Decided before the request is read, so that failures that are neither stored nor logged cost nothing.
    const isStored = reports.wants(floodOf(request, answered, name));
    const isFault = answered.status >= 500;
    const leftOut = answered.status === 503 ? sparing(unavailability(name, answered)) : 0;
    const isLogged = leftOut !== undefined && (isStored || isFault);
    if (!isStored && !isLogged) return;
    const entry = reportOf(request, answered, errorId);
    if (isStored) reports.add(entry);
    if (isLogged) writeLine(entry, answered, leftOut);
  }

  return {
    send(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
      const answered = asFailure(thrown, request);
      const envelope = encloseFailure(answered, clock.now());
      const { reason, retryAfterSeconds, allow, contentBytes } = answered.details;
      request.refusal = { code: answered.code, errorId: envelope.errorId, reason };
      if (answered.status < 500) counts.refused(answered.status, answered.code);
      report(request, answered, envelope.errorId);
      if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
      if (allow) reply.header('allow', allow.join(', '));
      if (contentBytes !== undefined) reply.header('content-range', `bytes */${contentBytes}`);
      if (answered.status === 401)
        reply.header('www-authenticate', `${schemeOf(request)} realm="platform-api"`);
      const page = failurePageOf(request, answered, envelope.errorId);
      if (page !== undefined) return sendPage(reply, new HtmlPage(answered.status, page));
      return reply
        .code(answered.status)
        .header('content-type', 'application/json; charset=utf-8')
        .serializer(JSON.stringify as (payload: unknown) => string)
        .send(envelope);
    },
  };
}

/** Mail services such as Amazon SNS send the password of their URL only to those who ask for it. */
const schemeOf = ({ routeOptions }: FastifyRequest): string =>
  routeOptions?.config?.operation?.access.isOfMailService ? 'Basic' : 'Bearer';

/** Returns the HTML with which a page, or a link that a browser opens, reports a failure. */
function failurePageOf(request: FastifyRequest, answered: Failure, errorId: string): string | undefined {
  const { failurePage, operation } = request.routeOptions?.config ?? {};
  if (!operation) return failurePage?.(answered, errorId);
  return showsPages(request.headers.accept) ? operation.failurePage?.(answered) : undefined;
}

/**
 * Returns the key under which lines about a 503 are sampled. It includes the operation and the cause, so that overload
 * does not hide an outage, nor one outage another.
 */
const unavailability = (operation: string, answered: Failure): string =>
  `${operation} ${answered.code} ${isLoadShedding(answered)}`;

/**
 * Returns the path of a request, without its query if that may have what belongs into a private body, or what an unknown
 * member searched for: nothing would tell, when they are erased, that it was them.
 */
function shownPathOf(
  { url, credentials, headers }: FastifyRequest,
  { privacy, hasUser }: { privacy: Privacy | undefined; hasUser: boolean },
): string {
  const isOfUnknownMember = !hasUser && (!credentials || headers.authorization !== undefined);
  return privacy || isOfUnknownMember ? (url.split('?', 1)[0] as string) : url;
}

/** What of a body is private: all of it where no operation says so, since the address may be a mistyped one. */
function privacyOfBody(request: FastifyRequest): Privacy | undefined {
  if (request.is404) return { fields: new Map() };
  const shape = operationOf(request)?.body;
  return shape && privacyOf(shape);
}

/** Returns the name of what was requested: an operation, or the route of a page. */
const nameOf = (request: FastifyRequest): string =>
  operationOf(request)?.id ?? `${request.method} ${request.routeOptions?.url ?? '(unknown)'}`;

export type FailureAnswers = ReturnType<typeof failureAnswers>;
