import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failure } from '../../kernel/failures.ts';
import { isSafeText, unsafeText } from '../../kernel/safe-text.ts';

export const malformedJson = failure(400, 'MALFORMED_JSON', 'Malformed JSON');
export const invalidUtf8 = failure(400, 'INVALID_UTF8', 'The body is not valid UTF-8');
export const jsonTooDeep = failure(400, 'JSON_TOO_DEEP', 'JSON is nested deeper than 32 levels');
export const unsupportedMediaType = failure(
  415,
  'UNSUPPORTED_MEDIA_TYPE',
  'The body must be JSON in UTF-8, sent as application/json',
);

const MAX_DEPTH = 32;

/** Accepts only application/json bodies. An empty body counts as no body. */
export function acceptJsonBodies(app: FastifyInstance): void {
  // Also rejects __proto__ and constructor.prototype.
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) {
      done(null, undefined);
      return;
    }
    const encoding = request.headers['content-encoding'];
    if ((encoding !== undefined && encoding !== 'identity') || !saysUtf8(request)) {
      done(unsupportedMediaType());
      return;
    }
    // Decoding would silently replace invalid bytes with U+FFFD and store the result.
    if (!isUtf8(bytes)) {
      done(invalidUtf8());
      return;
    }
    const text = bytes.toString('utf8');
    request.text = text;
    parse(request, text, (error, value) => {
      if (error) done(malformedJson());
      else done(faultOf(text, value) ?? null, value);
    });
  });
}

function saysUtf8({ headers }: FastifyRequest): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

/** Inspects only bodies that may contain text that PostgreSQL rejects, or excessive nesting. */
function faultOf(text: string, value: unknown): Error | undefined {
  const mayBeUnsafe = text.includes('\\u') || !text.isWellFormed();
  const mayBeDeep = text.split(/[[{]/, MAX_DEPTH + 2).length > MAX_DEPTH + 1;
  if (!mayBeUnsafe && !mayBeDeep) return undefined;
  return inspect(value, 0);
}

function inspect(value: unknown, depth: number): Error | undefined {
  if (typeof value === 'string') return isSafeText(value) ? undefined : unsafeText();
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return jsonTooDeep();
  for (const [name, item] of Object.entries(value)) {
    if (!isSafeText(name)) return unsafeText();
    const fault = inspect(item, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}
