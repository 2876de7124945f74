import { S3Fault } from './faults.ts';
import type { ObjectRecord } from './objects.ts';

/** Returns the headers that describe an object; presigned links may replace some of them. */
export function headersOf(record: ObjectRecord, query: URLSearchParams): Record<string, string> {
  const disposition = query.get('response-content-disposition');
  const cacheControl = query.get('response-cache-control') ?? record.cacheControl;
  return {
    'content-type': query.get('response-content-type') ?? record.contentType,
    etag: record.etag,
    'last-modified': new Date(record.modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
    ...(cacheControl === undefined ? {} : { 'cache-control': cacheControl }),
    ...(disposition === null ? {} : { 'content-disposition': disposition }),
  };
}

/** Parses a range of bytes; ignores malformed and multiple ranges, as RFC 9110 allows. */
export function rangeOf(
  header: string | undefined,
  bytes: number,
): { first: number; last: number } | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (from !== '' && to !== '' && Number(to) < first) return undefined;
  if (first >= bytes || first > last)
    throw new S3Fault(416, 'InvalidRange', 'The requested range is not satisfiable');
  return { first, last };
}
