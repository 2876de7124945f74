import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { accessDenied, notImplemented, S3Fault } from './faults.ts';

/** The credentials that sign requests. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** The parts of a request that its signature covers. */
export interface SignedRequest {
  method: string;
  /** Path and query, as received. */
  url: string;
  headers: IncomingHttpHeaders;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** Maximum difference between the clocks of signer and storage. */
const MAX_SKEW_MS = 15 * 60_000;
const MAX_EXPIRY_SECONDS = 7 * 24 * 3600;

/**
 * Verifies a version 4 signature, in the `Authorization` header or in the query (a presigned URL).
 * @returns the SHA-256 of the signed body, in hexadecimal; undefined when the body is not signed
 * @param presignedNowMs the time for the expiry of presigned URLs; header signatures use the real time
 * @throws S3Fault
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */
export function verifySignature(
  request: SignedRequest,
  credentials: Credentials,
  presignedNowMs: number,
): string | undefined {
  const { pathname, searchParams } = new URL(request.url, 'http://storage');
  const isPresigned = searchParams.has('X-Amz-Signature');
  const parts = isPresigned ? partsOfQuery(searchParams) : partsOfHeader(request.headers);
  const { accessKeyId, date, region, signedHeaders, signature, timestamp } = parts;
  if (accessKeyId !== credentials.accessKeyId)
    throw new S3Fault(403, 'InvalidAccessKeyId', 'The AWS access key Id you provided does not exist.');
  const signedAtMs = timeOf(timestamp);
  if (isPresigned) checkExpiry(searchParams, signedAtMs, presignedNowMs);
  else if (Math.abs(Date.now() - signedAtMs) > MAX_SKEW_MS)
    throw new S3Fault(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and ours is too large.',
    );
  const declared = request.headers['x-amz-content-sha256'];
  const bodyHash = isPresigned ? 'UNSIGNED-PAYLOAD' : String(declared ?? 'UNSIGNED-PAYLOAD');
  // Not decoded here: stored as received, such bodies would contain the framing of their chunks.
  if (bodyHash.startsWith('STREAMING-')) throw notImplemented(bodyHash);

  if (!signedHeaders.includes('host')) throw accessDenied('The host must be signed.');
  const canonical = [
    request.method,
    canonicalPath(pathname),
    canonicalQuery(searchParams),
    ...signedHeaders.map((name) => `${name}:${canonicalValue(request.headers[name])}`),
    '',
    signedHeaders.join(';'),
    bodyHash,
  ].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const toSign = [ALGORITHM, timestamp, scope, sha256(canonical)].join('\n');
  const key = ['s3', 'aws4_request'].reduce(
    hmac,
    hmac(hmac(`AWS4${credentials.secretAccessKey}`, date), region),
  );
  const expected = hmac(key, toSign);
  const received = Buffer.from(signature, 'hex');
  if (received.length !== expected.length || !timingSafeEqual(received, expected))
    throw new S3Fault(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.');
  return bodyHash === 'UNSIGNED-PAYLOAD' ? undefined : bodyHash;
}

interface SignatureParts {
  accessKeyId: string;
  date: string;
  region: string;
  signedHeaders: string[];
  signature: string;
  /** `20261121T093000Z` */
  timestamp: string;
}

function partsOfQuery(query: URLSearchParams): SignatureParts {
  if (query.get('X-Amz-Algorithm') !== ALGORITHM) throw accessDenied('Another algorithm than expected.');
  return {
    ...scopeOf(query.get('X-Amz-Credential') ?? ''),
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    signature: query.get('X-Amz-Signature') ?? '',
    timestamp: query.get('X-Amz-Date') ?? '',
  };
}

function partsOfHeader(headers: IncomingHttpHeaders): SignatureParts {
  const { authorization = '' } = headers;
  if (!authorization.startsWith(`${ALGORITHM} `)) throw accessDenied();
  const fields = new Map(
    authorization
      .slice(ALGORITHM.length)
      .split(',')
      .map((field) => field.trim().split('=', 2) as [string, string]),
  );
  return {
    ...scopeOf(fields.get('Credential') ?? ''),
    signedHeaders: (fields.get('SignedHeaders') ?? '').split(';'),
    signature: fields.get('Signature') ?? '',
    timestamp: String(headers['x-amz-date'] ?? ''),
  };
}

function scopeOf(credential: string): Pick<SignatureParts, 'accessKeyId' | 'date' | 'region'> {
  const [accessKeyId = '', date = '', region = '', service, end] = credential.split('/');
  if (service !== 's3' || end !== 'aws4_request') throw accessDenied('The credential has another scope.');
  return { accessKeyId, date, region };
}

function timeOf(timestamp: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(timestamp) ?? [];
  if (second === undefined) throw accessDenied('The date of the signature is missing.');
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function checkExpiry(query: URLSearchParams, signedAtMs: number, nowMs: number): void {
  const seconds = Number(query.get('X-Amz-Expires'));
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_EXPIRY_SECONDS)
    throw new S3Fault(400, 'AuthorizationQueryParametersError', 'X-Amz-Expires must be 1 to 604800 seconds.');
  if (nowMs > signedAtMs + seconds * 1000) throw accessDenied('Request has expired');
  if (nowMs < signedAtMs - MAX_SKEW_MS) throw accessDenied('Request is not valid yet');
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function canonicalPath(pathname: string): string {
  try {
    return pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/');
  } catch {
    throw new S3Fault(400, 'InvalidURI', 'The path could not be decoded.');
  }
}

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');

const canonicalValue = (value: string | string[] | undefined): string =>
  String(value ?? '')
    .trim()
    .replace(/\s+/g, ' ');

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
