import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup } from '../../kernel/net/addresses.ts';
import { DEFAULT_MAX_BODY_BYTES } from '../../kernel/operations/operation.ts';
import { rateLimitExceeded } from '../limits/rate-limits.ts';
import { addressOf, operationOf } from './requests.ts';

/** Maximum number of large bodies that one caller may be sending at the same time. */
const MAX_PER_CALLER = 10;
const RETRY_AFTER_SECONDS = 1;

/**
 * Returns a function that admits a request before its body is read. A body is held in memory while it arrives, which
 * may take half a minute; without this limit, the requests that a few members may send in a minute would fill the
 * memory of the process.
 * It throws 429 when the caller is already sending too many large bodies.
 */
export function receivingLargeBodies(): (request: FastifyRequest, reply: FastifyReply) => void {
  const sending = new Map<string, number>();
  return (request, reply) => {
    if (!mayBeLarge(request)) return;
    const caller = request.credentials?.user?.userId ?? addressGroup(addressOf(request));
    const before = sending.get(caller) ?? 0;
    if (before >= MAX_PER_CALLER) throw rateLimitExceeded(RETRY_AFTER_SECONDS);
    sending.set(caller, before + 1);
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      const left = (sending.get(caller) ?? 1) - 1;
      if (left === 0) sending.delete(caller);
      else sending.set(caller, left);
    };
    request.raw.once('end', end);
    // Also fires for a body that is not read to its end, and when the connection is lost.
    reply.raw.once('close', end);
  };
}

/** Whether the body may exceed the ordinary limit; the length of a chunked body is not known. */
function mayBeLarge(request: FastifyRequest): boolean {
  const { maxBodyBytes = 0 } = operationOf(request) ?? {};
  if (maxBodyBytes <= DEFAULT_MAX_BODY_BYTES) return false;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || Number(length ?? 0) > DEFAULT_MAX_BODY_BYTES;
}
