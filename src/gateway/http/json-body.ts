import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { memoized } from '../../kernel/concurrency/lazy.ts';
import { failure, validationFailed } from '../../kernel/failures.ts';
import { DEFAULT_MAX_BODY_BYTES, type Operation } from '../../kernel/operations/operation.ts';
import { isSafeText, unsafeText } from '../../kernel/text/safe-text.ts';
import { outlineOf } from './json-outline.ts';
import { turnsOfLargeBodies } from './large-bodies.ts';
import { operationOf } from './requests.ts';

const MAX_DEPTH = 32;
/**
 * Ordinary JSON has one value in twenty bytes or more. A mebibyte of dense JSON would take a tenth of a second to
 * parse.
 */
const MAX_VALUES = 50_000;

export const malformedJson = failure(400, 'MALFORMED_JSON', 'Malformed JSON');
export const invalidUtf8 = failure(400, 'INVALID_UTF8', 'The body is not valid UTF-8');
export const jsonTooDeep = failure(400, 'JSON_TOO_DEEP', `JSON is nested deeper than ${MAX_DEPTH} levels`);
export const jsonTooDense = failure(400, 'JSON_TOO_DENSE', `JSON has more than ${MAX_VALUES} values`);
export const unsupportedMediaType = failure(
  415,
  'UNSUPPORTED_MEDIA_TYPE',
  'The body must be JSON in UTF-8, sent as application/json',
);

type Parse = ReturnType<FastifyInstance['getDefaultJsonParser']>;

/**
 * Accepts only application/json bodies. An empty body counts as no body. Bodies above the ordinary limit wait for their
 * turn, so that other requests are served between them.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  // Also rejects __proto__ and constructor.prototype.
  const parse = app.getDefaultJsonParser('error', 'error');
  const turnOf = { known: turnsOfLargeBodies(), unknown: turnsOfLargeBodies() };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.is404 || operationOf(request)?.takesPlainText) done(null, body);
    else done(unsupportedMediaType());
  });

  app.addHook('preValidation', (request, reply, done) => {
    const bytes = request.body;
    if (!Buffer.isBuffer(bytes)) {
      done();
      return;
    }
    request.body = undefined;
    if (bytes.length <= DEFAULT_MAX_BODY_BYTES) {
      done(faultOnReading(request, bytes, parse));
      return;
    }
    // Signed webhooks, whose signature is checked later, must not delay callers who are already authenticated.
    const turn = request.credentials?.key || request.credentials?.isService ? turnOf.known : turnOf.unknown;
    turn(reply.raw, () => done(faultOnReading(request, bytes, parse)), done);
  });
}

/** Reads a body; returns the failure if it is refused. */
function faultOnReading(request: FastifyRequest, bytes: Buffer, parse: Parse): Error | undefined {
  if (bytes.length === 0) return undefined;
  const encoding = request.headers['content-encoding'];
  if ((encoding !== undefined && encoding !== 'identity') || !declaresUtf8(request))
    return unsupportedMediaType();
  // Decoding would silently replace invalid bytes with U+FFFD and store the result.
  if (!isUtf8(bytes)) return invalidUtf8();
  const operation = operationOf(request);
  // A small body is parsed completely, so that all its faults are reported together.
  const maxItems = operation && bytes.length > DEFAULT_MAX_BODY_BYTES ? longestLists(operation) : undefined;
  const outline = outlineOf(bytes, { maxValues: MAX_VALUES, maxDepth: MAX_DEPTH, maxItems });
  if (outline.overlong !== undefined) {
    request.bodyFault = tooManyItems(outline.overlong, maxItems?.get(outline.overlong));
    return undefined;
  }
  if (outline.depth > MAX_DEPTH) return jsonTooDeep();
  if (outline.values > MAX_VALUES) return jsonTooDense();
  return faultOnParsing(request, bytes.toString('utf8'), outline.hasSuspectEscape, parse);
}

function faultOnParsing(
  request: FastifyRequest,
  text: string,
  maybeUnsafe: boolean,
  parse: Parse,
): Error | undefined {
  request.text = text;
  let fault: Error | undefined;
  // The parser calls back synchronously.
  parse(request, text, (error, value) => {
    if (error) fault = malformedJson();
    else request.body = value;
  });
  if (fault) return fault;
  if (!maybeUnsafe || isSafe(request.body)) return undefined;
  request.body = undefined; // an invalid body could not be stored in a report
  return unsafeText();
}

/** Returns the maximum length of the list in each field of an operation's body. */
const longestLists = memoized(({ body }: Operation): ReadonlyMap<string, number> => {
  const { properties = {} } = (body ?? {}) as { properties?: Record<string, { maxItems?: number }> };
  const bounded = Object.entries(properties).flatMap(([name, { maxItems }]) =>
    maxItems === undefined ? [] : ([[name, maxItems]] as const),
  );
  return new Map(bounded);
});

/** The failure for a list that is too long, in the words of the check that is skipped with it. */
const tooManyItems = (field: string, most = 0): Error =>
  validationFailed([{ field, message: `must have at most ${most} items` }]);

function declaresUtf8({ headers }: FastifyRequest): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

/** Whether PostgreSQL can store every text in the value. */
function isSafe(value: unknown): boolean {
  if (typeof value === 'string') return isSafeText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, item]) => isSafeText(name) && isSafe(item));
}
