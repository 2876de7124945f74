import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../kernel/operations/operation.ts';
import { isSecretName } from '../../kernel/text/redaction.ts';
import { operationOf } from './requests.ts';

/** Shorter responses fit in one packet anyway. */
const MIN_BYTES = 1024;
const COMPRESSIBLE = /^(application\/json|text\/(csv|html))\b/;
/** Quality 4 of 11: about as fast as gzip, and smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export type Coding = 'br' | 'gzip';
const whole = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/**
 * Compresses responses of more than 1 KB, including streams, for clients that accept it. Excludes responses that
 * contain secrets: an attacker who can have chosen text reflected beside a secret and observe the response's length can
 * guess the secret character by character (BREACH).
 */
export function compressAnswers(app: FastifyInstance): void {
  const holdsSecret = new Map<Operation, boolean>();

  function isAllowed(request: FastifyRequest, reply: FastifyReply): boolean {
    if (request.method === 'HEAD' || reply.hasHeader('content-encoding')) return false;
    if (!COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))) return false;
    const operation = operationOf(request);
    if (!operation) return true;
    let isSecret = holdsSecret.get(operation);
    if (isSecret === undefined) {
      isSecret = namesSecret(operation.success.data);
      holdsSecret.set(operation, isSecret);
    }
    return !isSecret;
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const isStream = payload instanceof Readable;
    if (!isStream && sizeOf(payload) < MIN_BYTES) return done(null, payload);
    if (!isAllowed(request, reply)) return done(null, payload);
    addVary(reply);
    const coding = codingOf(request.headers['accept-encoding']);
    if (coding === undefined) return done(null, payload);
    reply.header('content-encoding', coding).removeHeader('content-length');
    if (isStream) {
      const compressor = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip();
      // A failure midway destroys the compressor, and with it the connection.
      return done(
        null,
        pipeline(payload, compressor, () => undefined),
      );
    }
    const compressing = coding === 'br' ? whole.br(payload as string, BROTLI) : whole.gzip(payload as string);
    compressing.then(
      (compressed) => done(null, compressed),
      (error) => done(error),
    );
  });
}

/** Measures strings in UTF-16 units, of which there are never more than bytes. */
const sizeOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;

/** Adds `Accept-Encoding` to `Vary`; a page that compresses itself may have done so before. */
export function addVary(reply: FastifyReply): void {
  const names = String(reply.getHeader('vary') ?? '')
    .split(', ')
    .filter(Boolean);
  reply.header('vary', [...new Set([...names, 'Accept-Encoding'])].join(', '));
}

/** Returns the supported coding that the client prefers; undefined for none (RFC 9110, 12.5.3). */
export function codingOf(accepted: string | string[] | undefined): Coding | undefined {
  if (accepted === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const part of String(accepted).slice(0, 512).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((one) => one.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    weights.set(name === 'x-gzip' ? 'gzip' : name, Number.isFinite(weight) ? weight : 0);
  }
  const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const [br, gz] = [weightOf('br'), weightOf('gzip')];
  if (br <= 0 && gz <= 0) return undefined;
  return br >= gz ? 'br' : 'gzip';
}

/** Whether the shape has, at any depth, a field whose name the error store would redact. */
export function namesSecret(shape: unknown): boolean {
  const { properties = {}, items } = (shape ?? {}) as {
    properties?: Record<string, unknown>;
    items?: unknown;
  };
  if (items !== undefined && namesSecret(items)) return true;
  return Object.entries(properties).some(([name, inner]) => isSecretName(name) || namesSecret(inner));
}
