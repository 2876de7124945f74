import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeHtml as escapeXml } from '../../kernel/text/html.ts';
import type { Clock } from '../../kernel/time/time.ts';
import {
  listObjects,
  listUploads,
  readCompletion,
  readRemoval,
  removalResult,
  uploadResult,
} from './documents.ts';
import { accessDenied, invalidArgument, noSuchKey, notImplemented, S3Fault } from './faults.ts';
import type { Expected } from './files.ts';
import { headersOf, rangeOf } from './object-headers.ts';
import { type ObjectFiles, objectFiles } from './objects.ts';
import { type Credentials, verifySignature } from './sigv4.ts';
import { type UploadFiles, uploadFiles } from './uploads.ts';

/** How the storage behaves: normally, failing, hanging or slow. */
export type StorageMode = 'ok' | 'fail' | 'hang' | 'slow';

interface StorageOptions {
  /** The folder for objects. */
  folder: string;
  /** The path of the buckets, such as `/storage`. */
  basePath: string;
  credentials: Credentials;
  /** The name of the only bucket. */
  bucket: string;
  clock: Clock;
}

const SLOW_MS = 1_500;
const MAX_DOCUMENT_BYTES = 1024 * 1024;
const MAX_OBJECT_BYTES = 5 * 1024 ** 3;
const MAX_PART_NUMBER = 10_000;

interface Files {
  objects: ObjectFiles;
  uploads: UploadFiles;
}

/** A parsed request to the storage. */
interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
  /** Empty for the bucket itself. */
  key: string;
  expected: Expected;
}

/**
 * Returns an object storage that implements the S3 protocol: version 4 signatures, presigned URLs, ranges, conditions,
 * multipart uploads. It stands in for the production service and stores its objects in a folder.
 */
export function storageServer(options: StorageOptions) {
  const { basePath, bucket, clock, credentials } = options;
  const objects = objectFiles(options.folder, clock);
  const files: Files = { objects, uploads: uploadFiles(options.folder, objects, clock) };
  let mode: StorageMode = 'ok';
  const unanswered = new Set<ServerResponse>();

  /** Verifies the signature, and returns what the body must match. */
  function admit({ method = '', url = '', headers }: IncomingMessage): Expected {
    const sha256 = verifySignature({ method, url, headers }, credentials, clock.now());
    const length = headers['content-length'];
    return {
      sha256,
      md5: headers['content-md5'] as string | undefined,
      bytes: length === undefined ? undefined : Number(length),
    };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://storage');
    const [first = '', ...rest] = pathname.slice(basePath.length + 1).split('/');
    const key = decodeURIComponent(rest.join('/'));
    const expected = admit(request);
    if (first !== bucket) throw new S3Fault(404, 'NoSuchBucket', 'The specified bucket does not exist');
    const call = { request, response, query, key, expected };
    await (key === '' ? onBucket(files, call) : onObject(files, call));
  }

  return {
    /** Whether a request is for the storage. */
    serves: (url: string | undefined): boolean =>
      url === basePath || url?.startsWith(`${basePath}/`) === true,
    /** Sets the mode and drops hanging requests, like a restarted storage. */
    setMode(next: StorageMode): void {
      mode = next;
      for (const response of unanswered) response.destroy();
      unanswered.clear();
    },
    sweep: objects.sweep,
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      allowBrowsers(request, response);
      try {
        if (request.method === 'OPTIONS') {
          response.writeHead(204).end();
          return;
        }
        if (mode === 'hang') {
          unanswered.add(response);
          response.once('close', () => unanswered.delete(response));
          return;
        }
        if (mode === 'slow') await sleep(SLOW_MS);
        if (mode === 'fail') throw new S3Fault(503, 'SlowDown', 'Please reduce your request rate.');
        await answer(request, response);
      } catch (error) {
        refuse(request, response, error);
      }
    },
  };
}

/** Lets browsers of any origin use presigned links. */
function allowBrowsers({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', 'GET, HEAD, PUT');
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '*');
  response.setHeader('access-control-expose-headers', 'ETag, Content-Range, Accept-Ranges, Content-Length');
  response.setHeader('access-control-max-age', '600');
  response.setHeader('x-content-type-options', 'nosniff');
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const isCut = request.destroyed && !request.complete;
  const fault = faultOf(error, isCut);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${fault.code}</Code><Message>${escapeXml(fault.message)}</Message></Error>`;
  // The rest of the request is not read: the connection ends with the response.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(fault.status, { 'content-type': 'application/xml' });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function faultOf(error: unknown, isCut: boolean): S3Fault {
  if (error instanceof S3Fault) return error;
  if (error instanceof URIError) return new S3Fault(400, 'InvalidURI', 'The path could not be decoded.');
  const { code } = error as NodeJS.ErrnoException;
  // The status that MinIO responds with. The check comes first, because the fault also truncates the request.
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new S3Fault(507, 'XMinioStorageFull', 'The disk of the storage is full.');
  if (isCut) return new S3Fault(400, 'RequestTimeout', 'We encountered an internal error.');
  return new S3Fault(500, 'InternalError', `We encountered an internal error${code ? ` (${code})` : ''}.`);
}

async function onBucket(files: Files, call: Call): Promise<void> {
  const { request, response, query } = call;
  if (request.method === 'HEAD') response.writeHead(200).end();
  else if (request.method === 'GET' && query.has('uploads'))
    sendXml(response, listUploads(await files.uploads.unfinished()));
  else if (request.method === 'GET' && query.get('list-type') === '2')
    sendXml(response, listObjects(await files.objects.list(query.get('prefix') ?? ''), query));
  else if (request.method === 'POST' && query.has('delete')) {
    const { keys, isQuiet } = readRemoval(await readText(call));
    for (const key of keys) await files.objects.remove(key);
    sendXml(response, removalResult(isQuiet ? [] : keys));
  } else throw notImplemented(`${request.method} of a bucket`);
}

async function onObject(files: Files, call: Call): Promise<void> {
  const { request, response, query, key } = call;
  const uploadId = query.get('uploadId');
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return send(files, call);
    case 'PUT':
      if (request.headers['x-amz-copy-source'] !== undefined) throw notImplemented('Copying');
      return uploadId === null ? put(files, call) : putPart(files, call, uploadId);
    case 'DELETE':
      if (uploadId === null) await files.objects.remove(key);
      else await files.uploads.abort({ uploadId, key });
      response.writeHead(204).end();
      return;
    case 'POST':
      if (query.has('uploads')) {
        const upload = await files.uploads.begin({ key, ...kindOf(request) });
        return sendXml(response, uploadResult(key, upload.uploadId));
      }
      if (uploadId !== null) {
        const { etag } = await files.uploads.complete(
          { uploadId, key },
          readCompletion(await readText(call)),
        );
        return sendXml(response, uploadResult(key, uploadId, etag));
      }
  }
  throw notImplemented(`${request.method} of an object`);
}

const kindOf = ({ headers }: IncomingMessage) => ({
  contentType: headers['content-type'] ?? 'application/octet-stream',
  ...(headers['cache-control'] === undefined ? {} : { cacheControl: headers['cache-control'] }),
});

function checkLength({ bytes }: Expected): void {
  if (bytes === undefined)
    throw new S3Fault(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  if (bytes > MAX_OBJECT_BYTES)
    throw new S3Fault(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed object size.');
}

async function put(files: Files, { request, response, key, expected }: Call): Promise<void> {
  checkLength(expected);
  const { etag } = await files.objects.put({ key, ...kindOf(request) }, request, expected);
  response.writeHead(200, { etag }).end();
}

async function putPart(files: Files, call: Call, uploadId: string): Promise<void> {
  checkLength(call.expected);
  const number = Number(call.query.get('partNumber'));
  if (!Number.isInteger(number) || number < 1 || number > MAX_PART_NUMBER)
    throw invalidArgument('Part number must be an integer between 1 and 10000, inclusive');
  const { etag } = await files.uploads.putPart(
    { uploadId, key: call.key, number },
    call.request,
    call.expected,
  );
  call.response.writeHead(200, { etag }).end();
}

/** Sends the object, a range of it, or a 304. */
async function send(files: Files, { request, response, query, key }: Call): Promise<void> {
  const record = await files.objects.find(key);
  if (!record) throw noSuchKey();
  const { headers, method } = request;
  if (headers['if-match'] !== undefined && headers['if-match'] !== record.etag)
    throw new S3Fault(
      412,
      'PreconditionFailed',
      'At least one of the preconditions you specified did not hold.',
    );
  const about = headersOf(record, query);
  if (headers['if-none-match'] === record.etag) {
    response.writeHead(304, about).end();
    return;
  }
  const range = rangeOf(headers.range, record.bytes);
  const bytes = range ? range.last - range.first + 1 : record.bytes;
  const isWhole = range === undefined;
  const sent = {
    ...about,
    'content-length': bytes,
    ...(isWhole ? {} : { 'content-range': `bytes ${range.first}-${range.last}/${record.bytes}` }),
  };
  if (method === 'HEAD' || bytes === 0) {
    response.writeHead(isWhole ? 200 : 206, sent).end();
    return;
  }
  const body = await files.objects.open(record, range);
  response.writeHead(isWhole ? 200 : 206, sent);
  await pipeline(body, response);
}

async function readText({ request, expected }: Call): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_DOCUMENT_BYTES)
      throw new S3Fault(400, 'MalformedXML', 'The XML you provided is too large.');
    chunks.push(chunk);
  }
  if (expected.bytes !== undefined && bytes !== expected.bytes) throw accessDenied('The body was cut.');
  return Buffer.concat(chunks).toString('utf8');
}

function sendXml(response: ServerResponse, document: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${document}`);
}
