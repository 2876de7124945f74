import type { FastifyRequest } from 'fastify';
import { addressGroup } from '../../kernel/net/addresses.ts';
import type { Caller, RequestFacts } from '../../kernel/operations/callers.ts';
import type { Operation } from '../../kernel/operations/operation.ts';
import type { Trace } from '../../kernel/trace.ts';
import type { Credentials } from '../authentication.ts';

declare module 'fastify' {
  interface FastifyRequest {
    credentials: Credentials | undefined;
    caller: Caller | undefined;
    startedMs: number;
    /** When its caller was admitted, by `performance.now()`. */
    admittedMs: number;
    /** Undefined until the request has been routed. */
    trace: Trace | undefined;
    /** The failure of the response, for the access log. */
    refusal: { code: string; errorId: string; reason: string | undefined } | undefined;
    /** The unparsed body, when it is JSON. */
    text: string;
    /** The failure of a body that was refused before it was parsed; failures of the path take precedence. */
    bodyFault: Error | undefined;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

export const operationOf = (request: FastifyRequest): Operation | undefined =>
  request.routeOptions?.config?.operation;

/** Returns the client's address; an empty text if the connection was reset before it was read. */
export const addressOf = ({ ip }: FastifyRequest): string => (ip as string | undefined) ?? '';

export function factsOf(request: FastifyRequest): RequestFacts {
  const key = request.credentials?.key;
  const address = addressOf(request);
  return {
    requestId: request.id,
    address,
    network: addressGroup(address),
    userAgent: String(request.headers['user-agent'] ?? ''),
    apiKey: key && { id: key.id, tier: key.tier },
  };
}

const CLIENT_REQUEST_ID = /^[\w.:-]{1,64}$/;

/** Returns the client's request id when it is valid, otherwise a new one. */
export const requestIdOf = (given: string | string[] | undefined, make: () => string): string =>
  typeof given === 'string' && CLIENT_REQUEST_ID.test(given) ? given : `req_${make()}`;
