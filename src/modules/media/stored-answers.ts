import { type ObjectStorage, StorageFault, type StoredObject } from '../../external/storage/port.ts';
import type { RawAnswer, RawRouteRequest } from '../../kernel/raw-routes.ts';

/** Players and pages of any origin may read these responses; no cookies are needed. */
export const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Length, Content-Range, ETag, Retry-After',
  'cross-origin-resource-policy': 'cross-origin',
};

/** How long a request waits for the storage before it is rejected with a retry time. */
export const STORAGE_DEADLINE_MS = 5_000;

export const refusal = (status: number, message: string): RawAnswer => ({
  status,
  headers: { ...OPEN, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: `${message}\n`,
});

/** A refusal with a `retry-after` header. */
export function refusalForNow(status: number, message: string, retryAfterSeconds: number): RawAnswer {
  const { headers, ...rest } = refusal(status, message);
  return { ...rest, headers: { ...headers, 'retry-after': String(retryAfterSeconds) } };
}

/** Responds 503 when the storage is unavailable. */
export async function unlessUnavailable(answer: () => Promise<RawAnswer>): Promise<RawAnswer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error;
    return refusalForNow(503, 'The storage is unavailable', 2);
  }
}

interface StoredAnswer {
  storage: ObjectStorage;
  key: string;
  /** Headers of every response about the object. */
  about: Record<string, string>;
  /** Returns whether an object may be served; called before any byte is sent. */
  admits?: (found: { etag: string }) => Promise<boolean>;
}

/** Serves an object or a range of it, or 304 if the client's copy is current. */
export async function storedAnswer(
  { storage, key, about, admits = async () => true }: StoredAnswer,
  request: RawRouteRequest,
): Promise<RawAnswer> {
  const headers = { ...about, 'accept-ranges': 'bytes' };
  const known = request.header('if-none-match');
  if (request.method === 'HEAD' || known !== '') {
    const facts = await storage.head(key, { deadlineMs: STORAGE_DEADLINE_MS });
    if (!facts || !(await admits(facts))) return refusal(404, 'Not found');
    const told = { ...headers, etag: facts.etag };
    if (known === facts.etag || known === '*') return { status: 304, headers: told };
    if (request.method === 'HEAD')
      return { status: 200, headers: { ...told, 'content-length': String(facts.bytes) } };
  }
  const range = rangeOf(request.header('range'));
  const found = await storage.read(key, { range, deadlineMs: STORAGE_DEADLINE_MS });
  if (!found) return refusal(404, 'Not found');
  if (!(await admitted(found, admits))) return refusal(404, 'Not found');
  return range && !found.range ? outside(found, headers) : bodyOf(found, headers);
}

async function admitted(found: StoredObject, admits: NonNullable<StoredAnswer['admits']>): Promise<boolean> {
  let may = false;
  try {
    may = await admits(found);
  } finally {
    if (!may) found.body.destroy();
  }
  return may;
}

export async function bytesOf({ body }: StoredObject): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk as Buffer);
  } catch (error) {
    throw new StorageFault('an object was cut', { cause: error });
  }
  return Buffer.concat(chunks);
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

function outside({ body, bytes }: StoredObject, about: Record<string, string>): RawAnswer {
  body.destroy();
  return {
    status: 416,
    headers: {
      ...about,
      'cache-control': 'no-store',
      'content-range': `bytes */${bytes}`,
      'content-length': '0',
    },
  };
}

/**
 * Parses a single range with a first byte; other forms and multiple ranges are ignored, which serves the whole object.
 */
function rangeOf(header: string): { first: number; last?: number } | undefined {
  const [, from, to] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header) ?? [];
  if (from === undefined) return undefined;
  const first = Number(from);
  if (!to) return { first };
  return Number(to) < first ? undefined : { first, last: Number(to) };
}
