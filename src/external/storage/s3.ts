import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Agent as HttpAgent, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Clock } from '../../kernel/time/time.ts';
import { objectRequests, RangeNotSatisfiable } from './object-requests.ts';
import {
  ObjectChanged,
  type ObjectFacts,
  type ObjectStorage,
  type ReadOptions,
  StorageFault,
  type StoredObject,
} from './port.ts';

/** Addresses and credentials of the object storage. */
interface S3Address {
  /** Base URL at which the platform reaches the service. */
  endpoint: string;
  /** Base URL at which clients reach it. */
  publicEndpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

type S3Options = S3Address & { clock: Clock };

const ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 2_000;
/** A request that receives no byte for this long has failed. */
const IDLE_TIMEOUT_MS = 20_000;
const MAX_SOCKETS = 64;
/** Larger objects are stored in parts of this size; S3 allows 10,000 parts. */
const PART_BYTES = 16 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
/** Maximum number of objects removed per call. */
const MAX_REMOVED_AT_ONCE = 1_000;

/**
 * Returns a client for any storage that implements the S3 protocol, with version 4 signatures and the bucket in the
 * path.
 */
export function s3Storage(options: S3Options): ObjectStorage {
  const { bucket: Bucket, clock } = options;
  const client = clientOf(options, options.endpoint);
  const presigner = clientOf(options, options.publicEndpoint);
  const requests = objectRequests({
    ...options,
    attempts: ATTEMPTS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    maxSockets: MAX_SOCKETS,
  });

  /** Presigns an upload. Type and length are signed, so that the storage rejects any others. */
  async function presignUpload({
    key,
    contentType,
    bytes,
    expiresInSeconds,
  }: Parameters<ObjectStorage['presignUpload']>[0]) {
    const command = new PutObjectCommand({
      Bucket,
      Key: key,
      ContentType: contentType,
      ContentLength: bytes,
    });
    const url = await getSignedUrl(presigner, command, {
      expiresIn: expiresInSeconds,
      signingDate: clock.date(),
      signableHeaders: new Set(['host', 'content-type', 'content-length']),
    });
    return { url, method: 'PUT' as const, headers: { 'Content-Type': contentType } };
  }

  async function read(
    key: string,
    { range, ifMatch, signal, deadlineMs }: ReadOptions & { ifMatch?: string } = {},
  ): Promise<StoredObject | undefined> {
    const headers: Record<string, string> = {};
    if (range) headers.range = `bytes=${range.first}-${range.last ?? ''}`;
    if (ifMatch !== undefined) headers['if-match'] = ifMatch;
    const response = await within(deadlineMs, signal, (abortSignal) =>
      requests.send({ method: 'GET', key, headers, signal: abortSignal }),
    );
    if (!response) return undefined;
    const facts = factsOf(key, response.headers);
    const cacheControl = response.headers['cache-control'];
    const served = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers['content-range'] ?? '');
    return {
      ...facts,
      bytes: served ? Number(served[3]) : facts.bytes,
      body: response,
      ...(served ? { range: { first: Number(served[1]), last: Number(served[2]) } } : {}),
      ...(cacheControl === undefined ? {} : { cacheControl }),
    };
  }

  return {
    presignUpload,
    presignDownload: async ({ key, expiresInSeconds, fileName }) => {
      const more: Record<string, string> =
        fileName === undefined ? {} : { 'response-content-disposition': contentDisposition(fileName) };
      return requests.presign(key, { at: clock.date(), expiresInSeconds, more });
    },
    async head(key, { deadlineMs } = {}) {
      const response = await within(deadlineMs, undefined, (signal) =>
        requests.send({ method: 'HEAD', key, signal }),
      );
      response?.resume();
      return response && factsOf(key, response.headers);
    },
    async read(key, { range, ...options } = {}) {
      try {
        return await read(key, { range, ...options });
      } catch (error) {
        if (!(error instanceof RangeNotSatisfiable)) throw error;
        return read(key, options);
      }
    },
    async download(key, file, { etag, signal }) {
      const found = await read(key, { ifMatch: etag, signal });
      if (!found) throw new ObjectChanged(`${key} is gone`);
      try {
        await pipeline(found.body, createWriteStream(file), { signal });
      } catch (error) {
        throw signal?.aborted ? error : new StorageFault(`${key} was cut`, { cause: error });
      }
      const { size } = await stat(file);
      if (size !== found.bytes)
        throw new StorageFault(`${key} was cut after ${size} of ${found.bytes} bytes`);
    },
    async write(key, body, { contentType, cacheControl, signal }) {
      const { Upload } = await import('@aws-sdk/lib-storage');
      const upload = new Upload({
        client,
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
        params: {
          Bucket,
          Key: key,
          Body: Buffer.isBuffer(body) ? body : createReadStream(body.file, { highWaterMark: 1024 * 1024 }),
          ContentType: contentType,
          CacheControl: cacheControl,
        },
      });
      const abort = () => void upload.abort();
      signal?.throwIfAborted();
      signal?.addEventListener('abort', abort, { once: true });
      try {
        await ask(() => upload.done());
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    async remove(keys) {
      for (let start = 0; start < keys.length; start += MAX_REMOVED_AT_ONCE) {
        const Objects = keys.slice(start, start + MAX_REMOVED_AT_ONCE).map((Key) => ({ Key }));
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
        const answered = await ask(() => client.send(command));
        const [fault] = answered?.Errors ?? [];
        if (fault) throw new StorageFault(`${fault.Key} was not removed: ${fault.Code}`);
      }
    },
    async *list(prefix) {
      for (let ContinuationToken: string | undefined; ; ) {
        const command = new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken });
        const page = await ask(() => client.send(command));
        yield (page?.Contents ?? []).map((listed) => ({
          key: listed.Key ?? '',
          bytes: listed.Size ?? 0,
          etag: listed.ETag ?? '',
          modifiedAt: listed.LastModified ?? new Date(0),
        }));
        ContinuationToken = page?.NextContinuationToken;
        if (!page?.IsTruncated) return;
      }
    },
    async abortUnfinished(before) {
      let aborted = 0;
      for (let KeyMarker: string | undefined, UploadIdMarker: string | undefined; ; ) {
        const command = new ListMultipartUploadsCommand({ Bucket, KeyMarker, UploadIdMarker });
        const page = await ask(() => client.send(command));
        for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
          if (!Initiated || Initiated >= before) continue;
          await ask(() => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
          aborted++;
        }
        if (!page?.IsTruncated) return aborted;
        KeyMarker = page.NextKeyMarker;
        UploadIdMarker = page.NextUploadIdMarker;
      }
    },
    async check({ deadlineMs }) {
      try {
        (await read(CHECKED_KEY, { deadlineMs }))?.body.destroy();
      } catch (error) {
        throw new StorageFault(adviceFor((error as Error).message, options), { cause: error });
      }
    },
    close() {
      client.destroy();
      presigner.destroy();
      requests.close();
    },
  };
}

/** An object that need not exist: a service that says so knows the bucket and accepts the credentials. */
const CHECKED_KEY = 'platform-check';

/** Returns what an operator should look at when the storage cannot be used. */
function adviceFor(fault: string, { endpoint, bucket, region }: S3Address): string {
  if (/NoSuchBucket/.test(fault)) return `there is no bucket ${bucket}; check STORAGE_BUCKET (${fault})`;
  if (/AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraint/.test(fault))
    return `the bucket is not in the region ${region}; check STORAGE_REGION (${fault})`;
  if (/: 40[13]\b/.test(fault))
    return `the credentials are refused; check STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and what they permit (${fault})`;
  return `${new URL(endpoint).origin} cannot be used; check STORAGE_ENDPOINT and the service (${fault})`;
}

function clientOf({ region, accessKeyId, secretAccessKey }: S3Options, endpoint: string): S3Client {
  const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const config: S3ClientConfig = {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: ATTEMPTS,
    // By default the client signs the checksum of an empty body into every presigned upload.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: new HttpAgent(agentOptions),
      httpsAgent: new HttpsAgent(agentOptions),
    },
  };
  return new S3Client(config);
}

/**
 * Calls with a signal that aborts at the deadline or with `signal`. The deadline does not apply to what follows the
 * start of the response, such as its body.
 */
async function within<Answer>(
  deadlineMs: number | undefined,
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal | undefined) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (deadlineMs === undefined) return ask(() => call(signal));
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  try {
    return await ask(() => call(signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal));
  } catch (error) {
    if (!deadline.signal.aborted || error instanceof StorageFault) throw error;
    throw new StorageFault(`no answer within ${deadlineMs} ms`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the response; undefined when there is no such object. */
async function ask<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call();
  } catch (error) {
    if (
      error instanceof StorageFault ||
      error instanceof ObjectChanged ||
      error instanceof RangeNotSatisfiable
    )
      throw error;
    if (!(error instanceof S3ServiceException)) {
      if ((error as Error).name === 'AbortError') throw error;
      throw new StorageFault((error as Error).message, { cause: error });
    }
    const status = error.$metadata.httpStatusCode;
    if (status === 404 && error.name !== 'NoSuchBucket') return undefined;
    if (status === 412) throw new ObjectChanged(error.message, { cause: error });
    throw new StorageFault(`${error.name}: ${error.message}`, { cause: error });
  }
}

const factsOf = (key: string, headers: IncomingHttpHeaders): ObjectFacts => ({
  key,
  bytes: Number(headers['content-length'] ?? 0),
  contentType: headers['content-type'] ?? 'application/octet-stream',
  etag: headers.etag ?? '',
  modifiedAt: new Date(headers['last-modified'] ?? 0),
});

/** Returns the file name for a browser, in both forms of RFC 6266. */
function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
}
