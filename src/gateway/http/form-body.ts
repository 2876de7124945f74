import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failure } from '../../kernel/failures.ts';
import { isSafeText, unsafeText } from '../../kernel/text/safe-text.ts';
import { payloadTooLarge } from './failures.ts';
import { unsupportedMediaType } from './json-body.ts';
import { operationOf } from './requests.ts';

/** Forms of mail programs and of our pages have a field or two. */
const MAX_FIELDS = 100;

export const malformedForm = failure(
  400,
  'MALFORMED_FORM',
  `A form must be well-formed, and have at most ${MAX_FIELDS} fields`,
);

export const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * Parses forms, only for operations that accept them. Fields are strings, or arrays of strings when a name is repeated;
 * files are ignored.
 */
export function acceptFormBodies(app: FastifyInstance): void {
  app.addContentTypeParser(FORM_TYPES, async (request: FastifyRequest, body: Readable) => {
    if (request.is404) return undefined;
    if (!operationOf(request)?.form) throw unsupportedMediaType();
    const bytes = await readAtMost(body, request.routeOptions.bodyLimit);
    return fieldsOf(bytes, request.headers['content-type'] as string);
  });
}

/**
 * Reads by events, because leaving a loop over the body early would destroy the connection before the response is sent.
 */
function readAtMost(body: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(payloadTooLarge(maxBytes));
    });
    body.once('end', () => resolve(Buffer.concat(chunks)));
    body.once('error', reject);
  });
}

async function fieldsOf(bytes: Buffer, contentType: string): Promise<Record<string, string | string[]>> {
  if (bytes.length === 0) return {};
  // Fields are counted before parsing: parsing thousands of them would cost more than the rest of the request.
  const isTooLong = /^multipart/i.test(contentType)
    ? hasMore(bytes, '\n--', MAX_FIELDS)
    : hasMore(bytes, '&', MAX_FIELDS - 1);
  if (isTooLong) throw malformedForm();
  const headers = { 'content-type': contentType };
  const form = await new Response(bytes as Buffer<ArrayBuffer>, { headers }).formData().catch(() => {
    throw malformedForm();
  });
  const fields = new Map<string, string[]>();
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue;
    if (!isSafeText(name) || !isSafeText(value)) throw unsafeText();
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  const read = Array.from(fields, ([name, values]) => [name, values.length === 1 ? values[0] : values]);
  return Object.fromEntries(read);
}

/** Whether the mark occurs more than `max` times in these bytes. */
function hasMore(bytes: Buffer, mark: string, max: number): boolean {
  let count = 0;
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    if (++count > max) return true;
  }
  return false;
}
