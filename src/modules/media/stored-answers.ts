import { type ObjectStorage, StorageFault, type StoredObject } from '../../external/storage/port.ts';
import type { RawAnswer, RawRouteRequest } from '../../kernel/operations/raw-routes.ts';
import { rangeNotSatisfiable, storageUnavailable } from './failures.ts';
import { STORAGE_DEADLINE_MS } from './names.ts';
import type { HeldObject, RecentObjects } from './recent-objects.ts';

/** Players and pages of any origin may read these responses; no cookies are needed. */
export const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Length, Content-Range, ETag, Retry-After',
  'cross-origin-resource-policy': 'cross-origin',
};

/** @throws storageUnavailable (503) */
export async function unlessUnavailable(answer: () => Promise<RawAnswer>): Promise<RawAnswer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error;
    throw storageUnavailable(error);
  }
}

interface StoredAnswer {
  storage: Pick<ObjectStorage, 'head' | 'read'>;
  key: string;
  /** Headers of every response about the object. */
  about: Record<string, string>;
}

/**
 * Serves an object from memory, after reading it into memory if it fits; undefined if there is none.
 * @throws rangeNotSatisfiable (416)
 */
export async function recentAnswer(
  recent: RecentObjects,
  stored: StoredAnswer,
  request: RawRouteRequest,
): Promise<RawAnswer | undefined> {
  const { key, about } = stored;
  // Such requests need no content, so they cause no read of it.
  const needsFactsOnly = request.method === 'HEAD' || request.header('if-none-match') !== '';
  if (needsFactsOnly && !recent.has(key)) return storedAnswer(stored, request);
  const found = await recent.open(key);
  if (found === undefined) return undefined;
  if (found === 'not held') return storedAnswer(stored, request);
  if ('content' in found) return cachedAnswer(found, about, request);
  if (request.method === 'GET' && isUnconditional(request))
    return bodyOf(found, { ...about, 'accept-ranges': 'bytes' });
  found.body.destroy();
  return storedAnswer(stored, request);
}

const isUnconditional = ({ header }: RawRouteRequest): boolean =>
  header('range') === '' && header('if-none-match') === '';

function cachedAnswer(
  { content, etag, release }: HeldObject,
  about: Record<string, string>,
  request: RawRouteRequest,
): RawAnswer {
  const { length } = content;
  const headers: Record<string, string> = { ...about, 'accept-ranges': 'bytes', etag };
  if (isKnown(request, etag)) {
    release();
    return { status: 304, headers };
  }
  const range = rangeOf(request, etag, length);
  if (!range || request.method === 'HEAD') {
    headers['content-length'] = String(length);
    return { status: 200, headers, body: content, onSent: release };
  }
  if (range.first >= length) {
    release();
    throw rangeNotSatisfiable(length);
  }
  const last = Math.min(range.last ?? length - 1, length - 1);
  headers['content-length'] = String(last - range.first + 1);
  headers['content-range'] = `bytes ${range.first}-${last}/${length}`;
  return { status: 206, headers, body: content.subarray(range.first, last + 1), onSent: release };
}

/**
 * Serves an object or a range of it, or 304 if the client's copy is current; undefined if there is none to serve.
 * @throws rangeNotSatisfiable (416)
 */
export async function storedAnswer(
  { storage, key, about }: StoredAnswer,
  request: RawRouteRequest,
): Promise<RawAnswer | undefined> {
  const headers = { ...about, 'accept-ranges': 'bytes' };
  let etag = '';
  let bytes: number | undefined;
  if (
    request.method === 'HEAD' ||
    request.header('if-none-match') !== '' ||
    request.header('if-range') !== '' ||
    SUFFIX.test(request.header('range'))
  ) {
    const facts = await storage.head(key, { deadlineMs: STORAGE_DEADLINE_MS });
    if (!facts) return undefined;
    ({ etag, bytes } = facts);
    const responseHeaders = { ...headers, etag };
    if (isKnown(request, etag)) return { status: 304, headers: responseHeaders };
    if (request.method === 'HEAD')
      return { status: 200, headers: { ...responseHeaders, 'content-length': String(facts.bytes) } };
  }
  const range = rangeOf(request, etag, bytes);
  const found = await storage.read(key, { range, deadlineMs: STORAGE_DEADLINE_MS });
  if (!found) return undefined;
  if (!range || found.range) return bodyOf(found, headers);
  found.body.destroy();
  throw rangeNotSatisfiable(found.bytes);
}

/**
 * Reads an object into memory, up to a number of bytes, because a storage may ignore ranges or report a wrong length.
 * @throws StorageFault when the object is truncated
 */
export async function bytesOf({ body }: StoredObject, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      // A body of the expected length is read to its end, so that its connection can be reused.
      if (length > max) break;
    }
  } catch (error) {
    throw new StorageFault('an object was cut', { cause: error });
  }
  return Buffer.concat(chunks).subarray(0, max);
}

function bodyOf({ body, bytes, etag, range }: StoredObject, about: Record<string, string>): RawAnswer {
  const length = range ? range.last - range.first + 1 : bytes;
  const headers = { ...about, etag, 'content-length': String(length) };
  return range
    ? {
        status: 206,
        headers: { ...headers, 'content-range': `bytes ${range.first}-${range.last}/${bytes}` },
        body,
      }
    : { status: 200, headers, body };
}

/** Whether the client's copy is current. Caches may have weakened the ETag, and may send several. */
function isKnown({ header }: RawRouteRequest, etag: string): boolean {
  const cachedTag = header('if-none-match');
  if (cachedTag === '') return false;
  return cachedTag === '*' || cachedTag.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

/** A range of the last bytes of an object, for which its size must be known. */
const SUFFIX = /^bytes=-(\d{1,15})$/;

/**
 * Parses a single range. Other forms, multiple ranges, and a range of another version of the object (`If-Range`) are
 * ignored, so that the whole object is served.
 */
function rangeOf(
  { header }: RawRouteRequest,
  etag: string,
  bytes: number | undefined,
): { first: number; last?: number } | undefined {
  const version = header('if-range');
  if (version !== '' && version !== etag) return undefined;
  const [, suffix] = SUFFIX.exec(header('range')) ?? [];
  if (suffix !== undefined && bytes !== undefined)
    return { first: Number(suffix) === 0 ? bytes : Math.max(0, bytes - Number(suffix)) };
  const [, from, to] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header('range')) ?? [];
  if (from === undefined) return undefined;
  const first = Number(from);
  if (!to) return { first };
  return Number(to) < first ? undefined : { first, last: Number(to) };
}
