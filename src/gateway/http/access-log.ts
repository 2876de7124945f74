import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { DatabaseUse } from '../../kernel/database-use.ts';
import { redactUrl } from '../../kernel/text/redaction.ts';
import { addressOf, operationOf } from './requests.ts';

/** Probes and scrapes arrive every few seconds and say nothing about clients. */
const UNLOGGED = /^\/(health\/|metrics$)/;
const MAX_UNKNOWN_PATH = 200;
/** nginx's status for a client that disconnects before the response. */
const CLIENT_GONE = 499;

export type AccessLog = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Returns a logger that writes one line for each request, at `info`. It logs the route rather than the path, which
 * keeps ids and the secrets of links and queries out of the log.
 * @returns undefined when the lines would not be written, to avoid their cost
 */
export function accessLog(log: Logger, isOn: boolean): AccessLog | undefined {
  if (!isOn || !log.isLevelEnabled('info')) return undefined;
  return (request, reply) => {
    const { caller, credentials, trace, refusal, routeOptions } = request;
    const route = routeOptions?.url;
    if (route !== undefined && UNLOGGED.test(route)) return;
    const user = caller?.kind === 'user' ? caller : credentials?.user;
    const line = {
      method: request.method,
      ...(route === undefined ? { path: unknownPath(request.url) } : { route }),
      operation: operationOf(request)?.id,
      status: reply.raw.destroyed && !reply.raw.writableFinished ? CLIENT_GONE : reply.statusCode,
      ms: hundredths(performance.now() - request.startedMs),
      ...databaseFields(trace?.databaseUse),
      bytes: bytesOf(reply),
      requestId: request.id,
      traceId: trace?.traceId,
      userId: user?.userId ?? routeOptions?.config?.memberOf?.(request),
      keyId: credentials?.key?.id,
      address: addressOf(request),
      ...refusal,
    };
    log.info(line, 'request');
  };
}

const hundredths = (ms: number): number => Math.round(ms * 100) / 100;

/** Where the time went; nothing for a request that did not ask the database. */
const databaseFields = (use: DatabaseUse | undefined) =>
  use && use.queries > 0
    ? { queries: use.queries, dbMs: hundredths(use.dbMs), waitMs: hundredths(use.waitMs) }
    : {};

const unknownPath = (url: string): string =>
  redactUrl((url.split('?', 1)[0] as string).slice(0, MAX_UNKNOWN_PATH));

/** Returns the length of the body; undefined when it is streamed. */
function bytesOf(reply: FastifyReply): number | undefined {
  const length = reply.getHeader('content-length');
  return length === undefined ? undefined : Number(length);
}
